"""`hoyle words`: what a translator begins with."""

from __future__ import annotations

from hoyle.cli.catalogue import t
from hoyle.cli.files import write_new
from hoyle.cli.options import File, Named, lang_option
from hoyle.cli.output import Trouble, note
from hoyle.cli.shell import argument, command, option


@command("words")
@argument("game", type=Named())
@argument("language")
@option("--output", "-o", type=File(), default="-")
@lang_option
def words_command(game: str, language: str, output: str) -> int:
    from hoyle.checking.build import checked, find, joined
    from hoyle.checking.wordlist import wordlist
    from hoyle.diagnostics import Problems
    from hoyle.resources import is_language

    if not is_language(language):
        raise Trouble(t("words.bad_language", name=language[:80]), code=2)
    problems = Problems()
    found, _ = checked(game, problems)
    problems.stop_on_errors()
    write_new(output, wordlist(found, joined(find(game)), language))
    if output != "-":
        note(t("words.written", name=output))
    return 0
