"""A formula as one C text."""

from __future__ import annotations

from hoyle.compiling.formula import FORMULA
from hoyle.compiling.game import Lowered
from hoyle.native.constants import Constants
from hoyle.native.forms import Sizes, Untranslatable
from hoyle.native.inference import Inference
from hoyle.native.layout import Layout
from hoyle.native.rewriting import rewritten
from hoyle.native.unit import common, named
from hoyle.running.machine import Machine


def formula_unit(lowered: Lowered, sizes: Sizes = ()) -> str:
    """The C text. Raises Untranslatable."""
    functions = {f.name: rewritten(f) for f in lowered.functions}
    types = Inference(functions, lowered.namespace, lowered.columns, _places(lowered.machine))
    types.run()
    if types.values.get(FORMULA) != "I":
        raise Untranslatable("a formula whose value is a list")
    slugs = {name: name for name in functions}
    parts = common(lowered.machine, types, Constants(lowered.namespace), slugs)
    known = "".join(f"(pile) == {pile} ? {size} : " for pile, size in sizes)
    return "\n".join([f"#define KNOWN_SIZE(pile) ({known}-1)", *parts, named("formula.c"), ""])


def _places(machine: Machine) -> Layout:
    """Formulas look at piles and state alone."""
    none = frozenset[int]()
    return Layout(len(machine.first_cells), {}, none, none, none, {}, none, 1, sum(machine.copies))
