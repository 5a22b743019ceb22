"""Command lines in bash, where `hoyle` and `python` are the checkout that is tested."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAMS = ".programs"
"""The folder of these two, in the folder where a command runs."""


def in_bash(
    command: str, folder: Path, *, typed: str = "", flags: Sequence[str] = (), **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a command; its standard output has both streams. `more`: variables of its environment."""
    programs = folder / PROGRAMS
    if not programs.exists():
        programs.mkdir()
        for name, words in (("hoyle", "-m hoyle"), ("python", "")):
            program = programs / name
            program.write_text(
                f'#!/bin/sh\nPYTHONPATH="{ROOT / "interpreter"}" exec "{sys.executable}" {words} "$@"\n',
                encoding="utf-8",
            )
            program.chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", *flags, "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "LANG": "C.UTF-8", **more},
        input=typed,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
