"""Types as goldens write them."""

from hoyle.language.value_types import ValueType


def in_full(value_type: ValueType) -> str:
    found: str = value_type.name
    match value_type.name:
        case "number":
            found = f"{value_type.low}..{value_type.high}"
        case "list":
            found = f"{value_type.least}..{value_type.most} of [{in_full(value_type.item)}]"
        case "row":
            found = value_type.table
        case "choice":
            found = value_type.option
        case "piece" | "pile":
            known = [value_type.of, *sorted(value_type.families), *["mine"] * value_type.mine]
            known += (
                [f"room {value_type.room}", f"numbers {value_type.first}..{value_type.last}"]
                if value_type.name == "pile"
                else []
            )
            found = f"{value_type.name}({' '.join(filter(None, known))})"
    return found + "?" * value_type.optional
