"""`hoyle lsp`: a language server for editors, over standard input and output."""

from __future__ import annotations

from importlib.util import find_spec

from hoyle.cli import output
from hoyle.cli.catalogue import asked_language, t
from hoyle.cli.options import lang_option
from hoyle.cli.shell import command, option

NEEDED = ("pygls", "lsprotocol")


@command("lsp")
@option("--stdio", is_flag=True)
@lang_option
def lsp_command(stdio: bool) -> int:
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise output.Trouble(t("lsp.missing", names=", ".join(lacking)), code=2)
    from hoyle.editor.server import made

    made(asked_language()).start_io()
    return 0
