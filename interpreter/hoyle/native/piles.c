/* What is told of a game while it is played, piles, and the verbs that move pieces. */

/* ---- events ---- */

static void note(X *x, I value) { if (x->logged < x->log_size) x->log[x->logged++] = value; else x->stop = FULL; }
static void note_list(X *x, L xs) { note(x, xs.n); for (I i = 0; i < xs.n; i++) note(x, xs.p[i]); }
enum { E_MOVE, E_RULE, E_SHUFFLE, E_CUT, E_ROLL, E_LOTS, E_SCORE, E_SAY, E_RECEIVED, E_TURNED, E_ENDS, E_TAKEN_BACK };
/* Pieces that are told along with something: none, unless all of them lie face up. */
static void note_open(X *x, const L *of, I n) {
    I open = 1;
    for (I i = 0; i < n; i++) for (I j = 0; j < of[i].n; j++) open &= of[i].p[j] < 0 || (of[i].p[j] & 1);
    if (!open) n = 0;
    note(x, n);
    for (I i = 0; i < n; i++) {
        I there = 0;
        for (I j = 0; j < of[i].n; j++) there += of[i].p[j] >= 0;
        note(x, there);
        for (I j = 0; j < of[i].n; j++) if (of[i].p[j] >= 0) note(x, of[i].p[j]);
    }
}

/* ---- piles ---- */

#define PILE(s, i) ((s)->P + (i) + 1)
/* A formula may be built for piles of known sizes, so that loops through them are written out. */
#ifndef KNOWN_SIZE
#define KNOWN_SIZE(pile) -1
#endif
static inline L pile(S *s, I i) {
    Pile *found = PILE(s, i);
    I known = __builtin_constant_p(i) ? KNOWN_SIZE(i) : -1;
    return (L){found->p, known < 0 ? found->n : known, 0};
}
/* Before the first piece of a pile lies -1, so that an empty one has no piece on top. */
#define FROM_NONE(of) ((E *)((char *)(of) + __builtin_offsetof(Pile, none)))
static inline I top(S *s, I i) { Pile *found = PILE(s, i); return FROM_NONE(found)[found->n]; }
static inline I bottom(S *s, I i) { Pile *found = PILE(s, i); return found->n ? found->p[0] : -1; }
/* What changes a pile marks it, where states are copied again and again. */
#if TRACKED
#define BIT(i) (1ull << (((i) + 1) & 63))
#define MARK(s, i) ((s)->changed |= BIT(i))
#else
#define MARK(s, i) ((void)0)
#endif
static inline Pile *changing(S *s, I i) { MARK(s, i); return PILE(s, i); }
static inline I arrive(I piece, I pile) { I way = FACE[pile]; return way == 2 ? piece : way ? piece | 1 : piece & -2; }
static inline void put(X *x, S *s, I i, I piece) {
    Pile *to = changing(s, i);
    if (to->n == CAP) { x->stop = FULL; return; }
    to->p[to->n++] = (E)piece;
}
static inline void drop(S *s, I i) { changing(s, i)->n--; }
static void take_at(Pile *from, I at) { for (I i = at + 1; i < from->n; i++) from->p[i - 1] = from->p[i]; from->n--; }
static void remove_piece(X *x, S *s, I i, I piece) {
    Pile *from = changing(s, i);
    for (I at = 0; at < from->n; at++) if (from->p[at] == piece) { take_at(from, at); return; }
    x->stop = FAULT;
}
static inline void show_top(X *x, S *s, I i) {
    Pile *of = changing(s, i);
    I shown = of->p[of->n - 1] |= 1;
    if (x->log) { note(x, E_TURNED); note(x, i); note(x, of->n); note(x, 1); note(x, shown); }
}
/* Where the top lies face up, it is turned. */
static inline void settle_top(X *x, S *s, I i) { if (TOPS_UP && TOP_UP[i] && !(top(s, i) & 1)) show_top(x, s, i); }
static inline void fits(X *x, S *s, I i) { if (ANY_LIMITED && LIMITED[i] && PILE(s, i)->n > ROOM[i]) x->stop = FAULT; }

static void tell(X *x, S *s, L pieces, L sources, I target) {
    I whose = HANDS[target], other = 0, giver = -2, hidden = 0;
    for (I i = 0; i < sources.n; i++) {
        other |= HANDS[sources.p[i]] != whose;
        giver = giver == -2 || giver == HANDS[sources.p[i]] ? HANDS[sources.p[i]] : -3;
    }
    for (I i = 0; i < pieces.n; i++) hidden += !(pieces.p[i] & 1);
    if (whose < 0 || !PILE(s, target)->n || !other || !hidden) return;
    note(x, E_RECEIVED); note(x, target); note(x, hidden);
    for (I i = 0; i < pieces.n; i++) if (!(pieces.p[i] & 1)) note(x, pieces.p[i]);
    note(x, giver < -1 ? -1 : giver);
}
/* Is some of it a piece that nobody saw where it was? */
static I uncovers(L pieces, L sources) {
    I hidden = 0;
    for (I i = 0; i < pieces.n; i++) hidden |= !(pieces.p[i] & 1);
    for (I i = 0; i < sources.n; i++) if (HANDS[sources.p[i]] >= 0) return 0;
    return hidden;
}
/* Pieces arrive at a pile, one after another. */
static inline void lay(X *x, S *s, const E *pieces, I n, I target) {
    Pile *to = changing(s, target);
    I way = FACE[target];
    E kept = way ? -1 : -2, up = way == 1;
    if (to->n + n > CAP) { x->stop = FULL; return; }
    for (I i = 0; i < n; i++) to->p[to->n + i] = (pieces[i] & kept) | up;
    to->n += n;
    fits(x, s, target);
}
static void bring(X *x, S *s, L pieces, L sources, I target) {
    I shows = x->log && FACE[target] == 1 && uncovers(pieces, sources);
    if (x->log) tell(x, s, pieces, sources, target);
    lay(x, s, pieces.p, pieces.n, target);
    if (!shows) return;
    note(x, E_TURNED); note(x, target); note(x, PILE(s, target)->n); note(x, pieces.n);
    for (I i = 0; i < pieces.n; i++) note(x, pieces.p[i] | 1);
}
/* All pieces lie where they begin. */
static void all_home(S *s) {
    const E *from = BEGIN;
    for (I i = 0; i < PILES; i++) {
        Pile *home = PILE(s, i);
        home->n = BEGIN_N[i];
        carry(home->p, from, home->n * (I)sizeof(E));
        from += home->n;
    }
}
static void gather(X *x, S *s, I low, I high) {
#if TRACKED
    s->changed = ~0ull;
#endif
    if (low == 0 && high == 2 * KINDS) { all_home(s); return; }
    for (I i = -1; i < PILES; i++) {
        Pile *of = PILE(s, i);
        I kept = 0;
        for (I at = 0; at < of->n; at++) if (of->p[at] < low || of->p[at] >= high) of->p[kept++] = of->p[at];
        of->n = kept;
    }
    for (I kind = low / 2; 2 * kind < high; kind++) {
        I home = HOMES[kind], face = arrive(2 * kind, home);
        for (I i = 0; i < COPIES[kind]; i++) put(x, s, home, face);
    }
}
static void still(X *x, S *s, I piece, I i) { if (!holds(pile(s, i), piece)) x->stop = FAULT; }
static void deal(X *x, S *s, I source, I count, I first, I base, I columns) {
    Pile *pack = changing(s, source);
    if (!x->log && (source < base || source > base + (SEATS - 1) * columns)) {
        I n = larger(0, smaller(pack->n, count * SEATS));
        for (I i = 0; i < SEATS; i++) {
            I target = base + (first + SEATS + i) % SEATS * columns;
            Pile *to = changing(s, target);
            I way = FACE[target];
            E kept = way ? -1 : -2, up = way == 1, *next = to->p + to->n;
            if (to->n + (n - i + SEATS - 1) / SEATS > CAP) { x->stop = FULL; return; }
            for (const E *from = pack->p + pack->n - 1 - i, *last = pack->p + pack->n - n; from >= last; from -= SEATS) *next++ = (*from & kept) | up;
            to->n = next - to->p;
            fits(x, s, target);
        }
        pack->n -= n;
        settle_top(x, s, source);
        for (I i = 0; i < SEATS; i++) settle_top(x, s, base + i * columns);
        return;
    }
    E came[SEATS][CAP];
    I n[SEATS];
    memset(n, 0, sizeof n);
    for (I c = 0; c < count && pack->n; c++)
        for (I i = 0; i < SEATS && pack->n; i++) came[i][n[i]++] = pack->p[--pack->n];
    E from = (E)source;
    for (I i = 0; i < SEATS; i++) bring(x, s, (L){came[i], n[i], 0}, (L){&from, 1, 0}, base + (first + SEATS + i) % SEATS * columns);
    settle_top(x, s, source);
    for (I i = 0; i < SEATS; i++) settle_top(x, s, base + i * columns);
}
static void move_top(X *x, S *s, I source, I count, I target, I packet) {
    Pile *from = changing(s, source);
    I size = count < 0 || count > from->n ? from->n : count;
    if (source == target || size <= 0) return;
    if (size == 1 && !x->log) {
        I piece = from->p[--from->n];
        put(x, s, target, arrive(piece, target));
        fits(x, s, target);
        settle_top(x, s, source);
        settle_top(x, s, target);
        return;
    }
    E taken[CAP], whence = (E)source;
    for (I i = 0; i < size; i++) taken[i] = from->p[packet ? from->n - size + i : from->n - 1 - i];
    from->n -= size;
    bring(x, s, (L){taken, size, 0}, (L){&whence, 1, 0}, target);
    settle_top(x, s, source);
    settle_top(x, s, target);
}
/* One of a kind is found from either end: whoever goes through a pile takes its first piece again and again. */
static inline I take_from(S *s, I piece, I source) {
    Pile *from = PILE(s, source);
    I i = from->n - 1;
    if (ONE_EACH && i > 0 && from->p[0] >> 1 == piece >> 1) i = 0;
    else while (i >= 0 && from->p[i] >> 1 != piece >> 1) i--;
    if (i < 0) return -1;
    I found = from->p[i];
    MARK(s, source);
    take_at(from, i);
    return found;
}
static I take_out(S *s, I piece, L sources) {
    I found = -1;
    for (I n = 0; n < sources.n && found < 0; n++) found = take_from(s, piece, sources.p[n]);
    return found;
}
static void move_pieces(X *x, S *s, L pieces, L sources, I target, I count) {
    E wanted[CAP], taken[CAP];
    I n = 0, found = 0;
    for (I i = 0; i < pieces.n && (count < 0 || n < count); i++) {
        if (n == CAP) { x->stop = FULL; return; }
        if (pieces.p[i] >= 0) wanted[n++] = pieces.p[i];
    }
    for (I i = 0; i < n; i++) { I piece = take_out(s, wanted[i], sources); if (piece >= 0) taken[found++] = (E)piece; }
    bring(x, s, (L){taken, found, 0}, sources, target);
    for (I i = 0; i < sources.n; i++) settle_top(x, s, sources.p[i]);
    settle_top(x, s, target);
}
/* A piece arrives alone, without a word. */
static inline void arrive_at(X *x, S *s, I piece, I target) {
    put(x, s, target, arrive(piece, target));
    fits(x, s, target);
    settle_top(x, s, target);
}
/* May a pile that loses all its pieces, one after another, lose them at once? Not where each that leaves is told, shows another, or may be taken for one like it. */
static inline I leave_at_once(X *x, I source) { return ONE_EACH && !x->log && !(TOPS_UP && TOP_UP[source]); }
/* One piece out of one pile. */
static void move_piece(X *x, S *s, I piece, I source, I target) {
    E one = (E)piece, whence = (E)source;
    if (x->log) { move_pieces(x, s, (L){&one, 1, 0}, (L){&whence, 1, 0}, target, -1); return; }
    I found = piece < 0 ? -1 : take_from(s, piece, source);
    if (found >= 0) put(x, s, target, arrive(found, target));
    fits(x, s, target);
    settle_top(x, s, source);
    settle_top(x, s, target);
}
static void turn(X *x, S *s, I i, I count, I up) {
    Pile *of = changing(s, i);
    I first = count < 0 || count > of->n ? 0 : of->n - count, hidden = 0;
    for (I at = first; at < of->n; at++) hidden |= !(of->p[at] & 1);
    if (up && x->log && hidden) {
        note(x, E_TURNED); note(x, i); note(x, of->n); note(x, of->n - first);
        for (I at = first; at < of->n; at++) note(x, of->p[at] | 1);
    }
    for (I at = first; at < of->n; at++) of->p[at] = up ? of->p[at] | 1 : of->p[at] & -2;
}
static L cards(X *x, S *s, L piles) { L found = {0, 0, 0}; for (I i = 0; i < piles.n; i++) if (piles.p[i] >= 0) L_extend(x, &found, pile(s, piles.p[i])); return found; }

