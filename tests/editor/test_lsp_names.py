"""Completion, definitions, references, renaming, repairs and colours as an editor gets them from the language server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rules import read_cases
from tiers import spread

from hoyle.editor.cursor_context import find_context
from hoyle.resources import shipped

if TYPE_CHECKING:
    from editing import Editor

CASES = read_cases("editor/lsp")
GOLDEN = Path(__file__).parents[1] / "checking" / "diagnostics"


# ---- the place of the cursor -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "path", "said"), CASES["places"])
def test_the_path_of_the_cursor_in_an_unfinished_text(text: str, path: list[str | int], said: str) -> None:
    before, _, after = text.partition("‸")
    here = find_context(before + after, len(before))
    assert ([*here.path], here.in_value, here.text) == (path, True, said)


# ---- completion ------------------------------------------------------------------------------------------------------


def offered(editor: Editor, uri: str, mark: str) -> dict[str, Any]:
    return {item.label: item for item in editor.ask("completion", uri, mark) or ()}


@pytest.mark.parametrize(("name", "old", "new", "wanted", "unwanted"), spread(map(tuple, CASES["completions"]), 6))
def test_completion(editor: Editor, name: str, old: str, new: str, wanted: list[str], unwanted: list[str]) -> None:
    uri = editor.open(shipped()[name])
    editor.change(uri, editor.texts[uri].replace(old, new.replace("‸", ""), 1))  # most are not valid YAML
    found = offered(editor, uri, new)
    assert [label for label in wanted if label not in found] == []
    assert [label for label in unwanted if label in found] == []


@pytest.mark.whole
def test_completions_and_signatures_have_kind_and_meaning(editor: Editor) -> None:
    uri = editor.open(shipped()["barbu"])
    found = offered(editor, uri, "points: -2 * ‸tricks of p")
    assert found["count"].documentation and "a number" in str(found["tricks"].detail)
    assert found["doubling"].documentation == "who may double"
    assert editor.ask("signatureHelp", uri, "if took_last(‸p) then").signatures[0].label == "took_last(p)"


# ---- definitions, references and renaming ----------------------------------------------------------------------------


def located(editor: Editor, found: Any) -> list[tuple[str, str]]:
    lines = []
    for place in found or ():
        path = Path(place.uri.removeprefix("file://"))
        text = editor.texts.get(place.uri) or path.read_text(encoding="utf-8")
        lines.append((path.name, text.splitlines()[place.range.start.line].strip()))
    return lines


@pytest.mark.whole
@pytest.mark.parametrize(("name", "mark", "file", "line"), spread(map(tuple, CASES["definitions"]), 5))
def test_definition(editor: Editor, name: str, mark: str, file: str, line: str) -> None:
    found = located(editor, editor.ask("definition", editor.open(shipped()[name]), mark))
    assert found and found[0][0] == file and found[0][1].startswith(line)


def family(folder: Path, name: str = "yukon", more: str = "") -> None:
    for suffix in (".yaml", ".fr.yaml"):
        text = shipped()[name].with_name(f"{name}{suffix}").read_text(encoding="utf-8")
        (folder / f"parent{suffix}").write_text(text.replace(f"game: {name}", "game: parent"), encoding="utf-8")
    variant = "ruleset: 1\ngame: child\nextends: parent\ntitle: A child\n"
    more = more or "terms:\n  opens(card): card.rank is first(ranks)\n"
    (folder / "child.yaml").write_text(variant + more, encoding="utf-8")


@pytest.mark.whole
def test_references_in_all_files_built_on_each_other(editor: Editor) -> None:
    family(editor.folder)
    uri = editor.open("parent.yaml")
    answer = editor.ask("references", uri, "ope‸ns(card):", context={"includeDeclaration": True})
    found = located(editor, answer)
    assert {file for file, _ in found} == {"parent.yaml", "child.yaml"}
    assert all("opens" in line for _, line in found)
    assert len(found) > 2
    inherited = offered(editor, editor.open("child.yaml"), "\n  o‸pens(card)")
    assert any(label.startswith("follows") for label in inherited)


def renamed(editor: Editor, mark: str, name: str) -> set[str]:
    """Rename in `parent.yaml` and the files built on it; the files that changed."""
    edit = editor.ask("rename", editor.open("parent.yaml"), mark, newName=name)
    for place, several in edit.changes.items():
        Path(place.removeprefix("file://")).write_text(editor.edited(place, several), encoding="utf-8")
    return {Path(place).name for place in edit.changes}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("mark", "name", "files"),
    [
        ("ope‸ns(card):", "may_open", {"parent.yaml", "child.yaml"}),
        pytest.param("\n  founda‸tion:", "heaps", {"parent.yaml", "parent.fr.yaml"}, marks=pytest.mark.slow),
        pytest.param("\n  spa‸ces:", "gaps", {"parent.yaml", "parent.fr.yaml"}, marks=pytest.mark.slow),
    ],
)
def test_rename(editor: Editor, mark: str, name: str, files: set[str]) -> None:
    from hoyle.game.examples.examples import run_examples
    from hoyle.game.examples.static_checks import validate

    family(editor.folder)
    assert renamed(editor, mark, name) == files
    found = validate([editor.folder / "parent.yaml", editor.folder / "child.yaml"])
    assert [d for d in found if d.severity == "error"] == []
    assert run_examples(editor.folder / "parent.yaml").passed
    old = mark.replace("‸", "").split("(")[0].strip().rstrip(":")
    assert f" {old}(" not in (editor.folder / "parent.yaml").read_text(encoding="utf-8")


@pytest.mark.whole
def test_options_are_renamed_in_sentences(editor: Editor) -> None:
    family(editor.folder, "gin-rummy", "clauses: {GR18: 'No {box_bonus} here.'}\n")
    sentences = {
        "parent.yaml": "scores {bonus} points",
        "parent.fr.yaml": "marque {bonus} points",
        "child.yaml": "No {bonus} h",
    }
    assert renamed(editor, "scores {box‸_bonus} points", "bonus") == sentences.keys()
    for name, sentence in sentences.items():
        assert sentence in (editor.folder / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(("mark", "name", "why"), CASES["refused renames"])
def test_wrong_renames_are_refused(editor: Editor, mark: str, name: str, why: str) -> None:
    family(editor.folder)
    with pytest.raises(Exception, match=why):
        renamed(editor, mark, name)


# ---- quick fixes and semantic tokens ---------------------------------------------------------------------------------


def actions(editor: Editor, uri: str, diagnostic: Any) -> list[Any]:
    ends = {
        end: {"line": place.line, "character": place.character}
        for end, place in (("start", diagnostic.range.start), ("end", diagnostic.range.end))
    }
    return list(editor.ask("codeAction", uri, range=ends, context={"diagnostics": []}) or ())


@pytest.mark.whole
@pytest.mark.parametrize(("name", "old", "new"), CASES["repairs"])
def test_fixes_restore_the_right_name(editor: Editor, name: str, old: str, new: str) -> None:
    right = shipped()[name].read_text(encoding="utf-8")
    uri = editor.open(shipped()[name].name, right.replace(old, new, 1))
    (wrong,) = set(re.findall(r"\w+", new)) - set(re.findall(r"\w+", old))
    found = next(d for d in editor.told(uri) if f"`{wrong}`" in d.message)
    edit = actions(editor, uri, found)[0].edit.changes[uri][0]
    assert wrong == editor.text_at(uri, edit.range)
    assert editor.texts[uri].replace(wrong, edit.new_text, 1) == right


def test_a_fix_is_offered_before_all_checks_end(editor: Editor) -> None:
    right = shipped()["golf"].read_text(encoding="utf-8")
    uri = editor.open("golf.yaml", right)
    editor.change(uri, right.replace("not cleared then", "not claered then", 1))
    line = editor.texts[uri][: editor.texts[uri].index("claered")].count("\n")
    ends = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
    (found,) = editor.ask("codeAction", uri, range=ends, context={"diagnostics": []})
    assert (found.title, found.is_preferred) == ("Replace `claered` by `cleared`", True)
    assert [d.code for d in found.diagnostics] == ["R301"]


def test_ambiguous_names_have_a_fix_for_each_meaning(editor: Editor) -> None:
    """None of them is preferred."""
    for name in ("_game.yaml", "name-of-several-things.yaml"):
        (editor.folder / name).write_bytes((GOLDEN / name).read_bytes())
    uri = editor.open("name-of-several-things.yaml")
    found = next(d for d in editor.told(uri) if d.code == "R304")
    offered = actions(editor, uri, found)
    assert [a.edit.changes[uri][0].new_text for a in offered] == ["suits.hearts", "trumps.hearts"]
    assert not any(a.is_preferred for a in offered)


@pytest.mark.whole
def test_semantic_tokens_of_names(editor: Editor) -> None:
    uri = editor.open(shipped()["barbu"])
    data = editor.ask("semanticTokens/full", uri).data
    legend: Any = editor.can.semantic_tokens_provider
    lines = editor.texts[uri].splitlines()
    line = column = 0
    seen: dict[str, str] = {}
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, column = line + down, right + (column if down == 0 else 0)
        seen.setdefault(lines[line][column : column + length], legend.legend.token_types[kind])
    wanted = {"queens": "function", "tricks": "variable", "count": "keyword", "suits": "enum", "p": "variable"}
    assert wanted.items() <= seen.items()
