"""`hoyle words`: what a translator begins with."""

from __future__ import annotations

from interpreter.cli.catalogue import t
from interpreter.cli.files import write_new
from interpreter.cli.options import File, Named, lang_option
from interpreter.cli.output import Trouble, note
from interpreter.cli.shell import argument, command, option


@command("words")
@argument("game", type=Named())
@argument("language")
@option("--output", "-o", type=File(), default="-")
@lang_option
def words_command(game: str, language: str, output: str) -> int:
    from interpreter.checking.build import checked, find, joined
    from interpreter.checking.wordlist import wordlist
    from interpreter.diagnostics import Problems
    from interpreter.resources import is_language

    if not is_language(language):
        raise Trouble(t("words.bad_language", name=language[:80]), code=2)
    problems = Problems()
    found, _ = checked(game, problems)
    problems.stop_on_errors()
    write_new(output, wordlist(found, joined(find(game)), language))
    if output != "-":
        note(t("words.written", name=output))
    return 0
