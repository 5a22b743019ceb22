/* What a state offers, refuses, and may be taken back to. */

/* ---- points, and what a game refuses ---- */

static inline I within(X *x, I value, I low, I high) { if ((value < low || value > high) && value != NO_NUMBER) x->stop = FAULT; return value; }
static inline I inside(X *x, I index, I size) { if (index >= 0 && index < size) return index; x->stop = FAULT; return 0; }
static inline I scored(X *x, S *s, I points, I cell, I low, I high) {
    if (!points) return 0;
    s->C[cell] = within(x, s->C[cell] + points, low, high);
    return x->log && !x->stop;
}

/* ---- actions ---- */

/* The numbers from 0 on: as long as no action is left out, which a list of actions holds are the first so many that the state lists. */
#define ONES(n) n, n + 1, n + 2, n + 3
#define FOURS(n) ONES(n), ONES(n + 4), ONES(n + 8), ONES(n + 12)
#define MANY(n) FOURS(n), FOURS(n + 16), FOURS(n + 32), FOURS(n + 48)
#define MORE(n) MANY(n), MANY(n + 64), MANY(n + 128), MANY(n + 192)
#define MOST(n) MORE(n), MORE(n + 256), MORE(n + 512), MORE(n + 768)
static const E FIRST_ONES[] = {MOST(0), MOST(1024), MOST(2048), MOST(3072)};
#define NONE_LISTED (L){(E *)FIRST_ONES, 0, 0}
#define LATER -1
static inline void put_list(X *x, E *to, L xs, I most) {
    if (xs.n > most) { x->stop = FULL; return; }
    to[0] = (E)xs.n;
    carry(to + 1, xs.p, xs.n * (I)sizeof(E));
}
static inline L get_list(const E *from) { return (L){(E *)from + 1, from[0], 0}; }
/* Whoever acts is asked: what is left of the actions that were listed is what the state offers. */
static I ask(X *x, S *s, L acts, I actor, I pc) {
    if (acts.n > ACTS) { x->stop = FULL; return 0; }
    if (acts.p == FIRST_ONES) s->which = FIRST_ONES;
    else { carry(s->left, acts.p, acts.n * (I)sizeof(E)); s->which = s->left; }
    s->later = acts.cap == LATER;
    s->count = acts.n; s->actor = actor; s->pc = pc;
    return -1;
}
/* The subset of that number, as the action in this place: from piece to piece, how many subsets begin with those before it and this one. */
static const E *listed_at(S *s, I number, I place) {
    const Pile *of = PILE(s, s->of_pile);
    unsigned int rest = (unsigned int)number, size = (unsigned int)s->of_size, left = (unsigned int)of->n;
    unsigned int with = (unsigned int)s->count * size / left;
    E *a = s->acts[place], *next = a + 2;
    a[0] = (E)s->of_move;
    a[1] = (E)size;
    for (const E *piece = of->p; size; piece++) {
        left--;
        if (rest < with) {
            *next++ = *piece;
            size--;
            with = size ? with * size / left : 0;
        } else {
            rest -= with;
            with = with * (left - size + 1) / left;
        }
    }
    return a;
}
static void list_all(S *s) {
    if (s->later) for (I i = 0; i < s->count; i++) listed_at(s, i, i);
    s->later = 0;
}
/* Subsets of so many pieces of a pile are to be chosen from, and no more is asked of them than how many they are: each is only listed if it is
   chosen, or all are shown. */
static L later(X *x, S *s, I move, I i, I size) {
    I n = PILE(s, i)->n, few = smaller(size, n - size);
    unsigned int found = size <= n;
    for (unsigned int k = 0; (I)k < few && found <= ACTS; k++) found = found * ((unsigned int)n - k) / (k + 1);
    if (found > ACTS || size + 2 > WIDTH) { x->stop = FULL; found = 0; }
    s->of_pile = i; s->of_size = size; s->of_move = move;
    if (!s->looking) return (L){(E *)FIRST_ONES, found, LATER};
    s->count = found;
    for (I k = 0; k < s->count; k++) listed_at(s, k, k);
    return (L){(E *)FIRST_ONES, found, 0};
}
static inline const E *offered(S *s, I number) { return s->later ? listed_at(s, number, 0) : s->acts[s->which[number]]; }
static void set_faults(X *x, S *s, L found) {
    if (found.n > ACTS) { x->stop = FULL; return; }
    carry(s->faults, found.p, found.n * (I)sizeof(E));
    s->faulty = found.n;
}
static I fault_of(S *s) {
    I found = s->looking || !s->faulty ? -1 : s->faults[s->number];
    s->faulty = 0;
    return found;
}
static void in_seat_order(E *order, const E *seats, E (*acts)[WIDTH], I n) {
    for (I i = 0; i < n; i++) {
        I j = i;
        for (; j; j--) {
            E other = order[j - 1];
            if (seats[other] < seats[i] || (seats[other] == seats[i] && ordered((L){acts[other], WIDTH, 0}, (L){acts[i], WIDTH, 0}) <= 0)) break;
            order[j] = other;
        }
        order[j] = (E)i;
    }
}
static inline void copy_pile(Pile *to, const Pile *from) {
    to->n = from->n; to->none = -1;
    for (I at = 0; at < from->n; at += 8) memcpy(to->p + at, from->p + at, 8 * sizeof(E));
}
static void copy_piles(Pile *to, const Pile *from) { for (I i = 0; i <= PILES; i++) copy_pile(to + i, from + i); }
#if TRACKED
/* Of two that were the same, one becomes so again: only piles that were marked since differ. */
static void copy_changed(Pile *to, const Pile *from, U changed) {
    if (PILES > 63) for (I i = 64; i <= PILES; i++) if (changed >> (i & 63) & 1) copy_pile(to + i, from + i);
    for (; changed; changed &= changed - 1) {
        I i = __builtin_ctzll(changed);
        if (i <= PILES) copy_pile(to + i, from + i);
    }
}
#endif
#if TAKES_BACK
#define KEPT(s) ((const Pile *)(s)->back.P)
/* What an action may be taken back to. A state that is tried begins as the one before it, which stays as it is. */
static void keep(X *x, S *s) {
    memcpy(s->back.C, s->C, STATE * sizeof(I));
    if (s->looking && !s->changed) { s->kept = s->before; return; }
    if (s->kept == s->back.P && !s->looking) copy_changed(s->back.P, s->P, s->changed);
    else copy_piles(s->back.P, s->P);
    s->kept = s->back.P;
    if (!s->looking) s->changed = 0;
}
static void take_back(X *x, S *s) {
    if (!s->kept) return;
    copy_piles(s->P, s->kept); memcpy(s->C, s->back.C, STATE * sizeof(I));
    s->changed = ~0ull;
    if (x->log) note(x, E_TAKEN_BACK);
}
#else
#define KEPT(s) ((const Pile *)0)
#endif
static inline I map_get(L map, I at) { return at < map.n ? map.p[at] : 0; }
static void map_set(X *x, L *map, I at, I value) { while (map->n <= at && !x->stop) add(x, map, 0); if (!x->stop) map->p[at] = (E)value; }
