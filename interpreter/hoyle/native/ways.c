/* A way to win for who plays alone: beam search from a state on, choice by choice, over states that were not kept before, and again with more room
   until there is a way or as many states were looked at as may be. `players/ways.py` is the same in Python.

   What a state is worth is learnt from random games and on the way. Goals are piles that never grow without the player standing better for it; a piece is
   due there when so many lie there as was seen at least. Worth is what lies on goals, less the pieces that lie upon one that is due before them. */

#if SIDES == 1
/* A state that may be kept: where it comes from, by which action, and its key; of two as good the one that was found first is better. */
typedef struct { I worth, order, from, action; U key; } Choice;
typedef struct { U key; I when; } Met;
/* What one search has: rows of states that are kept, of this choice and the next, and where each begins; states that may be kept,
   a heap with the worst first; all that were met, and at which choice; the steps to all that were kept; and what is known of piles and pieces. */
typedef struct {
    I *rows[2], *at[2], *ids[2];
    Choice *heap;
    Met *met;
    I *steps;
    I pool, longest, room, steps_room, met_room;
    I looked, most, met_n, steps_n, alike, lost, missed, order, n, width, way_n, open;
    U future;
    I grown[PILES + 1], better[PILES + 1], due[KINDS + 1], same[STATE + 1];
    I way[LINE];
} Quest;
enum { KEPT_ONE = -1, FORCED = 64, NEVER = 1 << 20, PROBES = 16, PROBED = 400 };
enum { PLACED = 4, BURIED = 4, FREE = 1, FREE_MOST = 16 };

static I solved(X *x, S *s) {
    I counts[2];
    if (!s->over) return 0;
    ended_with(x, s, counts);
    return counts[1];
}
static inline I is_goal(const Quest *q, I pile) { return q->grown[pile] && q->grown[pile] == q->better[pile]; }
/* Which piles grew by an action, whether that was for the better, and when pieces were due. */
static void learn(X *x, Quest *q, S *s, const I *sizes, I stood) {
    I better = standing(x, s, 0) > stood;
    for (I i = 0; i < PILES; i++) {
        Pile *of = PILE(s, i);
        if (of->n <= sizes[i]) continue;
        q->grown[i]++; q->better[i] += better;
        for (I at = sizes[i]; at < of->n; at++) if (is_goal(q, i) && at < q->due[of->p[at] >> 1]) q->due[of->p[at] >> 1] = at;
    }
}
static void sized(S *s, I *sizes) { for (I i = 0; i < PILES; i++) sizes[i] = PILE(s, i)->n; }
/* One choice and what is forced after it; 0 if it cannot be made, or if chance decided what comes. */
static I made(X *x, Quest *q, S *s, I action) {
    I sizes[PILES + 1];
    for (I n = 0; n < FORCED; n++) {
        I stood = standing(x, s, 0);
        sized(s, sizes);
        act(x, s, action);
        if (x->stop) return 0;
        learn(x, q, s, sizes, stood);
        if (q->open && s->chance.state != q->future) return 0;
        if (s->over || s->count != 1) break;
        action = 0;
    }
    return 1;
}
static I worth_of(X *x, Quest *q, S *s) {
    I done = 0, lies = 0;
    for (I i = 0; i < PILES; i++) {
        Pile *of = PILE(s, i);
        if (is_goal(q, i)) { done += of->n; continue; }
        I first = NEVER;
        for (I at = 0; at < of->n; at++) {
            I due = q->due[of->p[at] >> 1];
            if (due > first) lies++; else first = due;
        }
    }
    return PLACED * done - BURIED * lies + FREE * (s->count < FREE_MOST ? s->count : FREE_MOST);
}
/* A number for all that a state is, but for how often somebody decided; where columns are `alike`, whichever is which. */
static U key_alone(Quest *q, S *s) {
    U found = with((U)s->pc, (U)s->over), all = 0;
    for (I i = 0; i < PILES; i++) {
        Pile *of = PILE(s, i);
        U own = (U)of->n;
        if (!of->n) continue;
        for (I at = 0; at < of->n; at++) { U piece = (U)of->p[at] + 1; if (HEAP[i]) own += mixed(piece); else own = with(own, piece); }
        all += mixed(with(own, (U)(q->alike ? FAMILY[i] : i)));
    }
    found = with(found, all);
    for (I i = 0; i < STATE; i++) if (q->same[i]) found = with(found, (U)s->C[i]);
    return found;
}
/* Where a state was met; an empty place if it was not. */
static Met *met(Quest *q, U key) {
    key |= 1;
    I slot = (I)(key >> 1) & (q->met_room - 1);
    while (q->met[slot].key && q->met[slot].key != key) slot = (slot + 1) & (q->met_room - 1);
    return q->met + slot;
}

/* ---- what may be kept ---- */

static I worse(const Choice *a, const Choice *b) { return a->worth < b->worth || (a->worth == b->worth && a->order > b->order); }
static void sink(Choice *heap, I n, I at) {
    for (I child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && worse(heap + child + 1, heap + child)) child++;
        if (!worse(heap + child, heap + at)) return;
        Choice other = heap[at]; heap[at] = heap[child]; heap[child] = other;
    }
}
static void offer(Quest *q, Choice one) {
    Choice *heap = q->heap;
    I at = q->n;
    if (q->n == q->width) {
        q->lost = 1;
        if (worse(heap, &one)) { heap[0] = one; sink(heap, q->n, 0); }
        return;
    }
    heap[q->n++] = one;
    for (; at && worse(heap + at, heap + (at - 1) / 2); at = (at - 1) / 2) {
        Choice other = heap[at]; heap[at] = heap[(at - 1) / 2]; heap[(at - 1) / 2] = other;
    }
}
/* The best first. */
static void sorted_heap(Quest *q) {
    for (I n = q->n - 1; n > 0; n--) {
        Choice other = q->heap[0]; q->heap[0] = q->heap[n]; q->heap[n] = other;
        sink(q->heap, n, 0);
    }
}

/* ---- a search ---- */

static void keep_way(Quest *q, I from, I action) {
    I n = 1;
    for (I at = from; at >= 0; at = q->steps[2 * at]) n++;
    q->way_n = n;
    q->way[--n] = action;
    for (I at = from; n > 0; at = q->steps[2 * at]) q->way[--n] = q->steps[2 * at + 1];
}

static void set_in(X *x, S *s, const I *row) { clear(x, 0, 0); hoyle_in(s, (I *)row); }
/* All that may come of one state that is kept; whether that is a way, or there is no room to look further. */
static I look_on(X *x, S *s, Quest *q, const I *row, I id, I depth, I from) {
    set_in(x, s, row);
    for (I i = 0, count = s->count; i < count; i++) {
        if (q->looked == q->most) { q->lost = 1; return 1; }
        if (i) set_in(x, s, row);
        q->looked++;
        if (!made(x, q, s, i)) { q->missed = 1; continue; }
        if (solved(x, s)) { keep_way(q, id, i); return 1; }
        if (s->over) continue;
        Met *there = met(q, key_alone(q, s));
        if (there->key && (there->when == KEPT_ONE || there->when == depth)) continue;
        if (!there->key && 4 * ++q->met_n > 3 * q->met_room) { q->lost = 1; return 1; }
        if (!there->key) there->key = key_alone(q, s) | 1;
        there->when = depth;
        offer(q, (Choice){worth_of(x, q, s), q->order++, from, i, there->key});
    }
    return 0;
}
/* What was best is kept, in order, as long as there is room. */
static I keep_best(X *x, S *s, Quest *q, I now) {
    I used = 0, kept = 0;
    sorted_heap(q);
    for (I i = 0; i < q->n; i++) {
        Choice *one = q->heap + i;
        if (q->steps_n == q->steps_room) { q->lost = 1; break; }
        set_in(x, s, q->rows[now] + q->at[now][one->from]);
        if (!made(x, q, s, one->action)) continue;
        if (used + q->longest > q->pool) { q->lost = 1; break; }
        q->at[!now][kept] = used;
        used += hoyle_out(s, q->rows[!now] + used);
        q->steps[2 * q->steps_n] = q->ids[now][one->from]; q->steps[2 * q->steps_n + 1] = one->action;
        q->ids[!now][kept++] = q->steps_n++;
        met(q, one->key)->when = KEPT_ONE;
    }
    return kept;
}
/* One search with so much room. Whether there is more to look for with more room. */
static I seek(X *x, S *s, Quest *q, const I *row, I n) {
    I now = 0, kept = 1;
    memset(q->met, 0, (Z)q->met_room * sizeof(Met));
    q->met_n = 0; q->steps_n = 0; q->lost = 0; q->missed = 0; q->order = 0;
    memcpy(q->rows[0], row, (Z)n * sizeof(I));
    q->at[0][0] = 0; q->ids[0][0] = -1;
    set_in(x, s, row);
    q->future = s->chance.state;
    met(q, key_alone(q, s))->when = KEPT_ONE; met(q, key_alone(q, s))->key = key_alone(q, s) | 1;
    for (I depth = 1; kept && depth < LINE; depth++) {
        q->n = 0;
        for (I i = 0; i < kept; i++)
            if (look_on(x, s, q, q->rows[now] + q->at[now][i], q->ids[now][i], depth, i)) return q->lost;
        kept = keep_best(x, s, q, now);
        now = !now;
    }
    q->missed |= kept > 0;  /* ways may be longer */
    return q->lost;
}
/* What changes with every decision is a clock, and no part of where one stands. */
static void probe(X *x, S *s, Quest *q, const I *row, U seed) {
    I cells[STATE + 1];
    for (I game = 0; game < PROBES; game++) {
        Chance pick = stream(seed, (U)game, PICKING);
        set_in(x, s, row);
        for (I n = 0; n < PROBED && !s->over && !x->stop; n++) {
            I sizes[PILES + 1], stood = standing(x, s, 0);
            sized(s, sizes);
            for (I c = 0; c < STATE; c++) cells[c] = s->C[c];
            act(x, s, s->count > 1 ? below(&pick, s->count) : 0);
            if (x->stop) break;
            learn(x, q, s, sizes, stood);
            for (I c = 0; c < STATE; c++) q->same[c] |= cells[c] == s->C[c];
        }
    }
}
PUBLIC I hoyle_quest(void) { return sizeof(Quest); }
PUBLIC I hoyle_choice(void) { return sizeof(Choice); }
/* Begins: what random games from a state show. `bounds`: for how many numbers in rows of states there is room, how many one row may have,
   and room for states of one choice, states that were met, and steps. */
PUBLIC I hoyle_quest_for(X *x, S *s, Quest *q, const I *row, U seed, I open, const I *bounds, I *pool, Choice *heap, Met *where, I *steps, I *ids) {
    memset(q, 0, sizeof(Quest));
    q->pool = bounds[0]; q->longest = bounds[1]; q->room = bounds[2]; q->met_room = bounds[3]; q->steps_room = bounds[4];
    q->rows[0] = pool; q->rows[1] = pool + q->pool;
    q->at[0] = ids; q->at[1] = ids + q->room; q->ids[0] = ids + 2 * q->room; q->ids[1] = ids + 3 * q->room;
    q->heap = heap; q->met = where; q->steps = steps; q->open = open;
    for (I i = 0; i < KINDS; i++) q->due[i] = NEVER;
    probe(x, s, q, row, seed);
    return 0;
}
/* Keeps so many states at each choice and looks at no more than `most`. `told`: how many were looked at, whether some were not
   looked at or kept for want of room, whether some were left out that more room would not bring (where chance had a part, where the rules could not go on, or
   too far on), how many choices the way has (0: none was found), and those. */
PUBLIC I hoyle_seek(X *x, S *s, Quest *q, const I *row, I n, I width, I most, I alike, I *told) {
    q->width = smaller(width, q->room); q->most = most; q->alike = alike; q->looked = 0; q->way_n = 0;
    told[1] = seek(x, s, q, row, n);
    told[0] = q->looked; told[2] = q->missed; told[3] = q->way_n;
    memcpy(told + 4, q->way, (Z)q->way_n * sizeof(I));
    return q->way_n;
}
#endif
