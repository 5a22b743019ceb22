"""Writes the C struct of a state, and the functions that copy it and convert it to and from rows of numbers."""

from __future__ import annotations

from hoyle.native.layout import Layout
from hoyle.running.machine import Machine


def state_struct(places: Layout, machine: Machine) -> str:
    lines = [
        "typedef __SIZE_TYPE__ Z;",
        "void *memcpy(void *, const void *, Z);",
        "void *memset(void *, int, Z);",
        "void *memmove(void *, const void *, Z);",
        "typedef struct { U state, step; } Chance;",
        "typedef struct { I n; E none, p[(CAP + 7) / 8 * 8]; } Pile;",
        "typedef struct { Pile P[PILES + 1]; I C[STATE + 1]; } Back;",
        "typedef struct { I n; E p[SUMS]; } Reach;",
        "typedef struct { I n; E a[SEATS][WIDTH]; } Chosen;",
        "typedef struct { I n, used; I guard[SEEN + 1], at[SEEN + 1], size[SEEN + 1]; U told[SEEN + 1]; E text[SEEN_TEXT]; } Seen;",
        "typedef struct {",
        "    Pile P[PILES + 1];",
        "    I C[CELLS + 1];",
        "    I pc, actor, over, looking, count, number, faulty;",
        "    const E *which;",
        "    I later, of_pile, of_size, of_move;",
        "    U changed, version, of;",
        "    const Pile *kept, *before;",
        "    Chance chance;",
    ]
    lines += [f"    struct {{ I n; E p[{most or 1}]; }} l{number};" for number, most in places.lists.items()]
    lines += [f"    Reach l{number};" for number in sorted(places.aims)]
    lines += [f"    Chosen chosen{number};" for number in sorted(places.chosen)]
    lines += ["    E faults[ACTS], left[ACTS];", "    E acts[LISTED][WIDTH];"]
    lines += ["    Back back;"] if "take_back" in machine.ruleset.uses else []
    lines += [f"    Seen seen{number};" for number in sorted(places.seen)]
    lines += ["} S;"]
    lines += [
        "typedef struct { I n; I sum[SUMS]; } Sums;",
        "typedef struct { U one, two; I epoch, known; Sums found; } Memo;",
        "typedef struct { I label, number, seen, over_n, forgetting_n; const I *over, *forgetting; } Guard;",
    ]
    return "\n".join(lines)


def traffic(places: Layout, machine: Machine) -> str:
    """Return C functions that copy states, and convert them to and from rows of numbers."""
    kept = [
        f"    to->l{n}.n = from->l{n}.n; memcpy(to->l{n}.p, from->l{n}.p, (Z)from->l{n}.n * sizeof to->l{n}.p[0]);"
        for n in [*places.lists, *sorted(places.aims)]
    ]
    kept += [f"    to->chosen{n} = from->chosen{n};" for n in sorted(places.chosen)]
    if "take_back" in machine.ruleset.uses:
        kept.append("    to->kept = from->kept; if (from->kept) memcpy(to->back.C, from->back.C, STATE * sizeof(I));")
    return "\n".join(
        [
            "static void forget(S *s) {",
            *(f"    s->seen{n}.n = 0; s->seen{n}.used = 0;" for n in sorted(places.seen)),
            "}",
            "/* All but piles, and without what is only of use where the state stands: its actions, and what was seen. */",
            "static void copy_cells(S *to, const S *from) {",
            "    memcpy(to->C, from->C, sizeof to->C);",
            "    to->pc = from->pc; to->actor = from->actor; to->over = from->over; to->looking = from->looking; to->chance = from->chance;",
            "    to->count = 0; to->faulty = 0; to->kept = 0;",
            *kept,
            "    forget(to);",
            "}",
            _rows("out", places, machine),
            _rows("in", places, machine),
        ]
    )


def _rows(way: str, places: Layout, machine: Machine) -> str:
    """Return the C text of `hoyle_out` (writes a state as a row of numbers) or `hoyle_in` (reads one).

    Both C functions return the length of the row.
    """

    def one(place: str) -> str:
        return f"row[n++] = (I){place};" if way == "out" else f"{place} = row[n++];"

    def many(place: str, count: str, size: str) -> str:
        inner = f"row[n++] = {place}[i];" if way == "out" else f"{place}[i] = (E)row[n++];"
        return f"    {one(count)} if ({count} > {size}) return -1; for (I i = 0; i < {count}; i++) {{ {inner} }}"

    lines = [f"PUBLIC I hoyle_{way}(S *s, I *row) {{", "    I n = 0;"]
    lines += ["    list_all(s);"] if way == "out" else ["    s->later = 0;"]
    lines += [f"    {one(f's->{name}')}" for name in ("pc", "actor", "over", "looking")]
    lines += ["    row[n++] = s->kept != 0;" if way == "out" else "    I kept = row[n++];"]
    lines += [f"    {one(f's->{name}')}" for name in ("chance.state", "chance.step")]
    lines += ["    if (!(s->chance.step & 1)) return -1;"] if way == "in" else []
    lines += ["    s->kept = kept ? KEPT(s) : 0; s->changed = ~0ull;"] if way == "in" else []
    lines += ["    for (I i = 0; i < CELLS; i++) { " + one("s->C[i]").replace("(I)", "") + " }"]
    lines += ["    for (I k = 0; k <= PILES; k++) {", many("s->P[k].p", "s->P[k].n", "CAP")]
    lines += ["    }" if way == "out" else "    s->P[k].none = -1; }"]
    for number in [*places.lists, *sorted(places.aims)]:
        lines.append(many(f"s->l{number}.p", f"s->l{number}.n", str(places.lists.get(number, "SUMS"))))
    for number in sorted(places.chosen):
        lines.append(
            f"    {one(f's->chosen{number}.n')} if (s->chosen{number}.n > SEATS) return -1; for (I k = 0; k < s->chosen{number}.n; k++) for (I i = 0; i < WIDTH; i++) {{ {one(f's->chosen{number}.a[k][i]')} }}"
        )
    if "take_back" in machine.ruleset.uses:
        back = "s->kept" if way == "out" else "s->back.P"
        lines += ["    if (s->kept) {", "    for (I i = 0; i < STATE; i++) { " + one("s->back.C[i]") + " }"]
        lines += [
            "    for (I k = 0; k <= PILES; k++) {",
            many(f"{back}[k].p", f"{back}[k].n", "CAP"),
            "    }",
            "    }",
        ]
    for number in sorted(places.seen):
        seen = f"s->seen{number}"
        lines.append(
            f"    {one(f'{seen}.n')} {one(f'{seen}.used')} if ({seen}.n > SEEN || {seen}.used > SEEN_TEXT) return -1;"
        )
        lines.append(
            f"    for (I i = 0; i < {seen}.n; i++) {{ {one(f'{seen}.guard[i]')} {one(f'{seen}.at[i]')} {one(f'{seen}.size[i]')} }}"
        )
        lines.append(f"    for (I i = 0; i < {seen}.used; i++) {{ {one(f'{seen}.text[i]')} }}")
        if way == "in":
            lines.append(
                f"    for (I i = 0; i < {seen}.n; i++) {seen}.told[i] = told_in({seen}.text + {seen}.at[i], {seen}.size[i]);"
            )
    row = "s->acts[s->which[k]][i]" if way == "out" else "s->acts[k][i]"
    lines += [f"    {one('s->count')} if (s->count > ACTS) return -1;"]
    lines += ["    s->which = FIRST_ONES;"] if way == "in" else []
    lines += ["    for (I k = 0; k < s->count; k++) for (I i = 0; i < WIDTH; i++) { " + one(row) + " }"]
    lines.append(many("s->faults", "s->faulty", "ACTS"))
    return "\n".join([*lines, "    return n;", "}"])
