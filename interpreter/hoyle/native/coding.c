/* Lanes for programs that learn: actions by their numbers, and what a seat observes. What the numbers mean stands in tables; `interpreter/hoyle/learning` writes
   them and does the same in Python (`numbering.py`, `encoding.py`), number for number.

   Some actions are composed: several numbers are chosen one after the other, the head first, until only one action begins with them. */

typedef struct {
    const I *moves;     /* of each move: where in `codes` that begins: its first number; how many digits, and of each its place in an action, how many values it
                           has, whether they are pieces, and where in `values` they stand; how many lists, and of each its place, the number of its first item,
                           whether they are pieces, where they stand, and whether their order means nothing */
    const I *codes;
    const I *values;    /* of each sort by the seat: where it begins; there the least value, how many, the place of no number, and the place of each */
    const I *points;    /* of each block: which decision it is */
    const I *rows;      /* of each seat: where it begins; there how many piles and what is told of each, how many values and what of each, where it is told what
                           is being composed; and the orders of values that are named there */
    I size, end, first_item, width;
    E *chosen;          /* of each lane CHOSEN + 1 numbers: how many were chosen of an action that is being composed, and which */
    float *seen;        /* of each lane `width` numbers: what is observed by who chooses, or by the seat that was asked for */
    signed char *mask;  /* of each lane `size` numbers: what may be chosen */
    float *last;        /* of each lane `width` numbers: what was observed at the end of a game that is over or was left, by `whose`; elsewhere what it was */
    signed char *whose; /* nobody -1 */
} Coding;
enum { CHOSEN = WIDTH + 1, HELD = (2 * KINDS + 63) / 64, UNSEEN_PIECE = -2 };

/* ---- actions by their numbers ---- */

/* The pieces in the hands of who chooses. */
static void held_by(S *s, U *held) {
    for (I k = 0; k < HELD; k++) held[k] = 0;
    for (I i = 0; i < PILES; i++)
        if (HANDS[i] == s->actor) for (I at = 0; at < PILE(s, i)->n; at++) { E piece = PILE(s, i)->p[at]; held[piece >> 6] |= 1ull << (piece & 63); }
}
static inline I place_of(const Coding *c, S *s, const U *held, I is_piece, I values, E value) {
    const I *own = c->values + c->values[values + s->actor];
    if (is_piece && value >= 0) value = (value & 1) || (held[value >> 6] >> (value & 63) & 1) ? value >> 1 : UNSEEN_PIECE;
    if (value == NO_NUMBER) return own[2];
    I at = value - own[0];
    return at >= 0 && at < own[1] ? own[3 + at] : -1;
}
/* The numbers of an action; returns how many. */
static I path_of(const Coding *c, S *s, const U *held, const E *a, E *to) {
    const I *of = c->codes + c->moves[a[0]];
    I n = 0, number = 0, first = *of++;
    for (I digits = *of++; digits; digits--, of += 4) number = number * of[1] + place_of(c, s, held, of[2], of[3], a[of[0]]);
    to[n++] = (E)(first + number);
    for (I lists = *of++; lists; lists--, of += 5) {
        const E *items = a + of[0];
        for (I k = 1, begin = n; k <= items[0]; k++) {
            E item = (E)(of[1] + place_of(c, s, held, of[2], of[3], items[k]));
            I at = n++;
            for (; of[4] && at > begin && to[at - 1] > item; at--) to[at] = to[at - 1];
            to[at] = item;
        }
        to[n++] = (E)c->end;
    }
    return n;
}
static I begins_with(const E *path, const E *chosen, I n) {
    for (I k = 0; k < n; k++) if (path[k] != chosen[k]) return 0;
    return 1;
}
static void mask_lane(Lanes *l, const Coding *c, I i) {
    S *s = l->states + i;
    signed char *to = c->mask + i * c->size;
    const E *chosen = c->chosen + i * (CHOSEN + 1);
    U held[HELD];
    E path[CHOSEN];
    memset(to, 0, (Z)c->size);
    if (!s->count) return;
    list_all(s);
    held_by(s, held);
    for (I k = 0; k < s->count; k++) {
        path_of(c, s, held, offered(s, k), path);
        if (begins_with(path, chosen + 1, chosen[0])) to[path[chosen[0]]] = 1;
    }
}
/* Chooses a number. The action that it comes to, by its number; of those that cannot be told from each other one at random; -1 while there is more to choose,
   -2 if it may not be chosen. */
static I choose_in_lane(Lanes *l, const Coding *c, I i, I number) {
    S *s = l->states + i;
    E *chosen = c->chosen + i * (CHOSEN + 1), path[CHOSEN], first[CHOSEN], left[ACTS];
    I n = 0, size = 0, same = 1, at = chosen[0];
    U held[HELD];
    list_all(s);
    held_by(s, held);
    for (I k = 0; k < s->count; k++) {
        I many = path_of(c, s, held, offered(s, k), path);
        if (path[at] != number || !begins_with(path, chosen + 1, at)) continue;
        if (!n) { size = many; memcpy(first, path, sizeof first); }
        else same &= many == size && begins_with(path, first, size);
        left[n++] = (E)k;
    }
    if (!n) return -2;
    if (!same) { chosen[0]++; chosen[chosen[0]] = (E)number; return -1; }
    chosen[0] = 0;
    return left[n > 1 ? below(l->pick + i, n) : 0];
}

/* ---- observations ---- */

static void tell_pile(S *s, I seat, const I *row, float *to) {
    const Pile *of = PILE(s, row[0]);
    I first = row[1], top = of->n - 1, count = row[2], among = row[3], up = row[4], on_top = row[5], places = row[6], room = row[7];
    to[count] = (float)of->n;
    for (I at = 0; at <= top && (among >= 0 || on_top >= 0 || places >= 0); at++) {
        E piece = of->p[at];
        I seen = shown(piece, row[0], at == top, seat), sort = (piece >> 1) - first;
        if (places >= 0 && at < room) to[places + at] = seen ? (float)(2 + piece - 2 * first) : 1;
        if (!seen) continue;
        if (among >= 0) to[among + sort]++;
        if (up >= 0 && piece & 1) to[up + sort]++;
        if (on_top >= 0 && at == top) to[on_top + sort] = 1;
    }
}
static void tell_cell(S *s, const I *row, const I *orders, float *to) {
    I value = s->C[row[0]];
    if (row[5] >= 0) {  /* one of some values */
        if (value >= 0) to[row[1] + orders[row[5] + (row[4] ? value >> 1 : value)]] = 1;
        return;
    }
    if (value == NO_NUMBER) return;
    if (row[3] >= 0) to[row[3]] = 1;
    if (row[2] >= 0) { to[row[2]] = (float)(value >> 16); value &= 65535; }
    to[row[1]] = (float)value;
}
static void tell_begun(const Coding *c, const E *chosen, const I *row, float *to) {
    if (!chosen[0]) return;
    to[row[0] + chosen[1]] = 1;
    for (I k = 2; k <= chosen[0]; k++) to[row[1] + chosen[k] - c->first_item]++;
}
static void observe_lane(Lanes *l, const Coding *c, I i, I seat, float *to) {
    S *s = l->states + i;
    const I *row = c->rows + c->rows[seat];
    memset(to, 0, (Z)c->width * sizeof(float));
    to[seat] = 1;
    if (s->actor >= 0 && s->count) {
        to[SEATS + (s->actor - seat + SEATS) % SEATS] = 1;
        to[2 * SEATS + c->points[s->pc]] = 1;
    }
    for (I n = *row++; n; n--, row += 8) tell_pile(s, seat, row, to);
    for (I n = *row++; n; n--, row += 6) tell_cell(s, row, c->rows, to);
    if (s->actor == seat) tell_begun(c, c->chosen + i * (CHOSEN + 1), row, to);
}

/* ---- from outside ---- */

PUBLIC I hoyle_coding(void) { return sizeof(Coding); }
PUBLIC I hoyle_path(void) { return CHOSEN + 1; }
static void look_at_lane(Lanes *l, const Coding *c, I i) {
    I seat = l->actor[i];
    if (seat >= 0) observe_lane(l, c, i, seat, c->seen + i * c->width);
    else memset(c->seen + i * c->width, 0, (Z)c->width * sizeof(float));
    mask_lane(l, c, i);
}
/* What is observed by who chooses, and what he may choose. */
PUBLIC I hoyle_lanes_look(X *x, Lanes *l, I from, I to, const Coding *c) {
    (void)x;
    for (I i = from; i < to; i++) look_at_lane(l, c, i);
    return 0;
}
/* What a seat observes. */
PUBLIC I hoyle_lanes_observe(X *x, Lanes *l, I from, I to, const Coding *c, I seat, float *seen) {
    (void)x;
    for (I i = from; i < to; i++) observe_lane(l, c, i, seat, seen + i * c->width);
    return 0;
}
/* What is observed at the end of a game: of one that was left by who would have been to choose, of one that is over by who chose last; of one that the engine
   could not play on, by nobody. */
__attribute__((noinline, cold)) static void look_at_end(X *x, Lanes *l, const void *coding, I i) {
    const Coding *c = coding;
    I seat = l->over[i] ? l->actor[i] : x->stop || !l->states[i].count ? -1 : l->states[i].actor;
    c->whose[i] = (signed char)seat;
    if (seat >= 0) hoyle_lanes_observe(x, l, i, i + 1, c, seat, c->last);
}
/* The numbers that are chosen, then the same. Returns for how many lanes they may not be chosen; nothing has been done there. */
PUBLIC I hoyle_lanes_choose(X *x, Lanes *l, I from, I to, const Coding *c, const I *numbers) {
    I refused = 0;
    for (I i = from; i < to; i++) {
        I number = l->count[i] ? choose_in_lane(l, c, i, numbers[i]) : 0;
        c->whose[i] = -1;
        if (number >= 0) step_lane(x, l, i, number, c);
        else rest_lane(l, i);
        refused += number == -2;
        look_at_lane(l, c, i);
    }
    return refused;
}
/* Of what may be chosen in each lane, that which so many come before; 0 where nothing may be. */
PUBLIC I hoyle_lanes_nth(X *x, Lanes *l, I from, I to, const Coding *c, const double *parts, I *numbers) {
    (void)x; (void)l;
    for (I i = from; i < to; i++) {
        const signed char *mask = c->mask + i * c->size;
        I n = 0, at = 0;
        for (I k = 0; k < c->size; k++) n += mask[k];
        for (I nth = (I)(parts[i] * (double)n); n && (nth || !mask[at]); at++) nth -= mask[at];
        numbers[i] = at;
    }
    return 0;
}
