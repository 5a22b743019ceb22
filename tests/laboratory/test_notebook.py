"""The notebook in the documentation runs, and what it tells is what stands in it."""

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebooks" / "laboratory.ipynb"


def told(cell: Any) -> list[str]:
    """Its outputs: texts, and HTML and SVG as they are shown; frames look otherwise with each version of their library, so their shape alone."""
    found = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        frame = "dataframe" in data.get("text/html", "")
        parts = {"text/plain"} if frame else {"text/html", "image/svg+xml"} & {*data} or {"text/plain"}
        found += [str(len(data[part])) if frame else data[part] for part in sorted(parts) if part in data]
        found += [output["text"]] if "text" in output else []
    return found


@pytest.mark.slow
def test_the_notebook_says_what_stands_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a wanted change, run with UPDATE_DOCS=1 and look at it."""
    nbformat: Any = import_module("nbformat")
    client: Any = import_module("nbclient").NotebookClient
    monkeypatch.setenv("PYTHONPATH", str(NOTEBOOK.parents[2] / "interpreter"))
    kept = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    for cell in run.cells:
        cell.get("outputs", []).clear()
    client(run, timeout=120, record_timing=False, kernel_name="python3").execute()
    if os.environ.get("UPDATE_DOCS"):
        nbformat.write(run, NOTEBOOK)
        return
    drawn = [len(told(cell)) for cell in run.cells]
    assert drawn == [len(told(cell)) for cell in kept.cells] and sum(drawn) >= 6
    for new, old in zip(run.cells, kept.cells, strict=True):
        plain = [(a, b) for a, b in zip(told(new), told(old), strict=True) if not a.startswith("<?xml")]
        assert [a for a, _ in plain] == [b for _, b in plain], new.source
