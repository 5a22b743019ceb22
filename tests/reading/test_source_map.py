"""Places in scalars: whatever the YAML style, the span of every token is its text, in the file and as an editor counts columns."""

import re

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from hoyle.diagnostics import Source
from hoyle.editor.positions import find_range, split_lines
from hoyle.reading import parse
from hoyle.reading.yaml_tree import load

NAMES = st.sampled_from(["a", "card", "é", "topp", "x1", "ñandú", "42"])
BREAKS = {"": [" ", "\n   ", "\n\n  "], "'": [" ", "  \n ", "\n\n "], "|": ["  ", "\n  ", "\n\n  ", "\n     "]}
BREAKS |= {">": BREAKS["|"], '"': [*BREAKS["'"], " \\\n   ", "\\\n  \\ ", "\\t", "\\x20"]}
ESCAPES = ["{0}", "{0}", "\\x{1:02x}", "\\u{1:04x}", "\\U{1:08x}"]


@given(st.sampled_from(sorted(BREAKS)), st.lists(NAMES, min_size=1, max_size=6), st.data())
@settings(max_examples=examples(10, 600, 20), deadline=None)
def test_stretches_of_scalars_are_their_text(style: str, names: list[str], data: st.DataObject) -> None:
    words = " + ".join(names).split()
    way = st.sampled_from(ESCAPES if style == '"' else ["{0}"])
    said = ["".join(data.draw(way).format(c, ord(c)) for c in word) for word in words]
    said = [part for word in said for part in (word, data.draw(st.sampled_from(BREAKS[style])))][:-1]
    quote = style if style in ("'", '"') else ""
    text = f"𝄞é: {style.replace('|', '|-').replace('>', '>-')}{'' if quote or not style else chr(10) + '  '}{''.join(said)}{quote}\n"
    node = load(Source("x", text))["𝄞é"]
    spans = [(m[0], node.span_of_slice(*m.span())) for m in re.finditer(r"\S+", node.raw)]
    assert [word for word, _ in spans] == words
    forms = [parse.formula(node)]
    for form in forms:  # which grows
        forms += [part for part in form.parts if part is not None]
    spans += [(form.name or str(form.number), form.span) for form in forms if not form.parts]
    for word, span in spans:
        assert yaml.safe_load(f"{quote}{span.text}{quote}" if quote else f"'{span.text}'") == word
        assert tuple(map(split_lines(text).find_offset, find_range(span))) == (span.start, span.end)
