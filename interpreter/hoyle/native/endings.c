/* Endings solved exactly: who acts makes what is best for its side, and chance is gone through, draw by draw. `players/endings.py` is the same in
   Python, value for value.

   It goes down a fork for each state whose actions it looks through, whose row of numbers is kept to come back to. Between two sides a value is
   that of the first, and what cannot matter any more is left out (alpha-beta, as far as no chance lies between); else each side has its own. Who plays alone, without chance, looks for
   the best end that can be reached at all. Where a way comes back to a state that it went through, in which pieces are shuffled before anything
   is decided by it, or where choices are made unseen, it gives up. */

#define VALUES (SIDES == 2 ? 1 : SIDES)
#define PARTS (VALUES + 3)  /* and for who asks: how surely the game is over, its share of the win, and what it gains */
enum { DRAWS = 16, FORKS = 256 };
enum { GOES, GAVE_UP, DREW };
enum { UNKNOWN, ON_THE_WAY, EXACTLY, AT_LEAST, AT_MOST };

typedef struct { U one, two; I epoch, known; double v[PARTS]; } Position;
typedef struct {
    I row, row_n, n, at, side, shuffled, draws, drew, has;
    Position *of;
    double low, high, begun_low, begun_high, best[PARTS], sum[PARTS];
    I digits[DRAWS], bounds[DRAWS];
} Fork;
/* Draws as they are to be: those of the fork, and then the first that there may be; or any, to see what may come. */
typedef struct {
    Script script;
    X *x;
    S *s;
    Hunt *h;
    Chance *pick;
    I n, at, shuffled, met, split;
    I digits[DRAWS], bounds[DRAWS];
    double v[PARTS], lead[SIDES];
} Draws;
typedef struct {
    Hunt h;
    Draws draws;
    Position *table;
    I room, epoch, *rows, rows_n, rows_room, budget, done, state, all, reaches, cut, n, count, fresh, line_n, choice;
    double top, *found;
    E line[FORKS];
    Fork forks[FORKS];
} Ending;

/* ---- what an end is worth ---- */

static void reckoned(X *x, S *s, Hunt *h, double *v) {
    double to[SIDES], won[SIDES], gained[SIDES];
    I side = SIDE_OF[h->me];
    rewards(x, s, h, to, won, gained);
    for (I i = 0; i < VALUES; i++) v[i] = to[i];
    v[VALUES] = (double)s->over; v[VALUES + 1] = won[side]; v[VALUES + 2] = gained[side];
}

/* ---- chance ---- */

/* What a shuffle brings is not gone through: either the deal is over by then, and nobody has to know, or it cannot be known. */
static I met_shuffle(Draws *d) {
    if (d->met) return 0;
    d->met = 1;
    d->split = !settled(d->x, d->s, d->h);
    if (!d->split) { reckoned(d->x, d->s, d->h, d->v); leads(d->x, d->s, d->lead); }
    ended(d->x);
    return 0;
}
static I drawn_from(Script *script, I bound) {
    Draws *d = (Draws *)script;
    if (d->x->shuffled != d->shuffled) return met_shuffle(d);
    if (bound == 1) return 0;
    if (d->at == d->n) {
        if (d->n == DRAWS) { d->x->stop = FULL; return 0; }
        d->bounds[d->n] = bound;
        d->digits[d->n++] = d->pick ? below(d->pick, bound) : 0;
    }
    return d->digits[d->at++];
}
/* Makes a choice, with the first so many draws as they are. */
static void tried(X *x, S *s, Draws *d, I number, I shuffled, I draws) {
    x->shuffled = shuffled;
    d->n = draws; d->at = 0; d->shuffled = shuffled; d->met = 0; d->split = 0;
    s->chance = (Chance){0, (U)(Z)d};
    act(x, s, number);
}

/* ---- what is known of a state ---- */

static Key key_here(X *x, S *s, const I *row, I n) {
    Key found = key_of(s);
    I at = 7 + CELLS, end = n - 2 - s->faulty - s->count * WIDTH;
    for (I i = 0; i <= PILES; i++) at += 1 + row[at];
    found.one = with(found.one, (U)s->pc << 1 | (U)(x->shuffled != 0));
    for (; at < end; at++) { found.one = with(found.one, (U)row[at]); found.two = mixed(found.two ^ (U)row[at]); }
    return found;
}
static Position *position(Ending *e, Key key) {
    for (I slot = (I)(key.one & (U)(e->room - 1));; slot = (slot + 1) & (e->room - 1)) {
        Position *found = e->table + slot;
        if (found->epoch == e->epoch && found->one == key.one && found->two == key.two) return found;
        if (found->epoch == e->epoch) continue;
        found->epoch = e->epoch; found->one = key.one; found->two = key.two; found->known = UNKNOWN;
        return found;
    }
}

/* Is a choice made there that others do not see? */
static I is_unseen(S *s) {
    if (UNSEEN[s->pc]) return 1;
    for (I i = 0; HIDES[0] && s->count > 1 && i < s->count; i++) if (QUIETLY[offered(s, i)[0]]) return 1;
    return 0;
}

/* ---- forks ---- */

/* Chooses by what an action comes to. At the first fork each is noted. */
static void take_worth(Ending *e, Fork *f, const double *v) {
    I second = SIDES == 2 && f->side, at = SIDES == 2 ? 0 : f->side;
    I root = e->n == 1;
    if (root) { memcpy(e->found + f->at * (PARTS + 1) + 1, v, PARTS * sizeof(double)); e->found[f->at * (PARTS + 1)] = !(e->reaches && e->cut && v[0] < e->top); }
    if (!f->has || (second ? v[0] < f->best[0] : v[at] > f->best[at])) {
        memcpy(f->best, v, PARTS * sizeof(double));
        f->has = 1;
        if (root) e->choice = f->at;
    }
    f->at++;
    if (e->reaches) {
        if (root) e->epoch++;  /* what is on the way after one may be passed after another */
        if (f->best[0] >= e->top && !(root && e->all)) f->at = f->n;
    }
    else if (SIDES == 2 && !(root && e->all)) {
        if (second && f->best[0] < f->high) f->high = f->best[0];
        if (!second && f->best[0] > f->low) f->low = f->best[0];
        if (f->low >= f->high) f->at = f->n;
    }
}
/* The action that the last fork is at comes to this, as its draws are; then to the next of them. */
static void put_worth(Ending *e, const double *v) {
    Fork *f = e->forks + e->n - 1;
    double ways = 1;  /* many draws of many make more of them than a whole number counts */
    e->fresh = 0;
    if (!f->drew) { take_worth(e, f, v); return; }
    for (I i = 0; i < f->draws; i++) ways *= (double)f->bounds[i];
    for (I i = 0; i < PARTS; i++) f->sum[i] += v[i] / ways;
    while (f->draws && f->digits[f->draws - 1] + 1 == f->bounds[f->draws - 1]) f->draws--;
    if (f->draws) { f->digits[f->draws - 1]++; return; }
    f->drew = 0;
    take_worth(e, f, f->sum);
    memset(f->sum, 0, sizeof f->sum);
}
static void nothing_there(Ending *e) {
    double v[PARTS] = {-1};
    put_worth(e, v);
}
/* What is already known of the state that an action led to; 0 if it is to be looked through. */
static I is_known(Ending *e, Position *of, double low, double high) {
    if (of->known == ON_THE_WAY) {
        if (e->reaches) nothing_there(e); else e->state = GAVE_UP;
        return 1;
    }
    if (of->known == EXACTLY || (of->known == AT_LEAST && of->v[0] >= high) || (of->known == AT_MOST && of->v[0] <= low)) { put_worth(e, of->v); return 1; }
    return 0;
}
static void open_fork(X *x, S *s, Ending *e, double low, double high) {
    s->chance = (Chance){0, 1};
    I n = hoyle_out(s, e->rows + e->rows_n);
    Position *of = position(e, key_here(x, s, e->rows + e->rows_n, n));
    if (is_known(e, of, low, high)) return;
    Fork *f = e->forks + e->n++;
    of->known = ON_THE_WAY; f->of = of;
    f->row = e->rows_n; f->row_n = n; e->rows_n += n;
    f->n = s->count; f->at = 0; f->side = SIDE_OF[s->actor]; f->shuffled = x->shuffled; f->draws = 0; f->drew = 0; f->has = 0;
    f->low = f->begun_low = low; f->high = f->begun_high = high;
    memset(f->sum, 0, sizeof f->sum);
    e->fresh = 1;
}
static void close_fork(Ending *e) {
    Fork *f = e->forks + --e->n;
    e->rows_n = f->row;
    memcpy(f->of->v, f->best, sizeof f->best);
    f->of->known = SIDES != 2 ? EXACTLY : f->best[0] <= f->begun_low ? AT_MOST : f->best[0] >= f->begun_high ? AT_LEAST : EXACTLY;
    if (e->n) put_worth(e, f->of->v);
}
static void note_way(Ending *e, const double *v) {
    if (!e->reaches || v[0] <= e->h.promised) return;
    e->h.promised = v[0]; e->line_n = 0;
    for (I i = 0; i < e->n; i++) if (e->forks[i].n > 1) e->line[e->line_n++] = (E)e->forks[i].at;
}
static void came_to_end(Ending *e, const double *v) { note_way(e, v); put_worth(e, v); }

/* One action of the last fork, with one way of its draws. */
static void step_on(X *x, S *s, Ending *e, I longest) {
    Fork *f = e->forks + e->n - 1;
    Draws *d = &e->draws;
    if (f->at >= f->n) { close_fork(e); return; }
    if (e->done++ >= e->budget) { e->state = GAVE_UP; return; }
    clear(x, 0, 0);
    if (!e->fresh) hoyle_in(s, e->rows + f->row);
    memcpy(d->digits, f->digits, sizeof d->digits); memcpy(d->bounds, f->bounds, sizeof d->bounds);
    tried(x, s, d, f->at, f->shuffled, f->draws);
    if (x->stop && !d->met) { e->state = GAVE_UP; return; }
    if (d->split) { e->state = GAVE_UP; return; }
    memcpy(f->digits, d->digits, sizeof d->digits); memcpy(f->bounds, d->bounds, sizeof d->bounds);
    f->draws = d->n; f->drew |= d->n > 0;
    if (f->drew && (e->reaches || HIDES[0])) { e->state = e->reaches ? DREW : GAVE_UP; return; }
    if (d->met) { came_to_end(e, d->v); return; }
    if (s->over || settled(x, s, &e->h)) { double v[PARTS]; reckoned(x, s, &e->h, v); came_to_end(e, v); return; }
    if (is_unseen(s)) { e->state = GAVE_UP; return; }
    if (e->n == FORKS || e->rows_n + longest > e->rows_room) {
        if (e->reaches) { e->cut = 1; nothing_there(e); } else e->state = GAVE_UP;
        return;
    }
    if (f->drew || (e->n == 1 && e->all)) open_fork(x, s, e, -1, 2);
    else open_fork(x, s, e, f->low, f->high);
}

/* ---- is it worth trying? ---- */

/* What the tree of all ways may have, by random ones (D. Knuth, "Estimating the Efficiency of Backtrack Programs", 1975), and by how much
   standings change on them; -1 if one does not come to an end soon. */
static double guessed(X *x, S *s, Ending *e, const I *row, I probes, I longest) {
    double nodes = 0, changed = 0, v[SIDES];
    for (I i = 0; i < probes; i++) {
        Chance pick = stream(0, (U)i, PICKING);
        double ways = 1;
        I done = 0;
        clear(x, 0, 0);
        hoyle_in(s, (I *)row);
        x->shuffled = 0; e->draws.met = 0; e->draws.pick = &pick;
        for (; !s->over && !settled(x, s, &e->h); done++) {
            if (done == longest || is_unseen(s)) return -1;
            ways *= (double)s->count;
            tried(x, s, &e->draws, s->count > 1 ? below(&pick, s->count) : 0, x->shuffled, 0);
            for (I k = 0; k < e->draws.n; k++) ways *= (double)e->draws.bounds[k];
            nodes += ways;
            if (e->draws.met && !e->draws.split) break;
            if (x->stop || (HIDES[0] && e->draws.n)) return -1;
        }
        if (e->draws.met) memcpy(v, e->draws.lead, sizeof v); else leads(x, s, v);
        for (I p = 0; p < SIDES; p++) changed += v[p] < e->h.lead[p] ? e->h.lead[p] - v[p] : v[p] - e->h.lead[p];
    }
    if (changed > 0) e->h.scale = changed / (double)(probes * SIDES);
    return nodes / (double)probes;
}

/* ---- from outside ---- */

PUBLIC I hoyle_ending(void) { return sizeof(Ending); }
PUBLIC I hoyle_position(void) { return sizeof(Position); }
static I look_through(X *x, S *s, Ending *e, const I *row, I longest) {
    e->epoch++; e->n = 0; e->rows_n = 0; e->cut = 0; e->line_n = 0; e->choice = -1; e->state = GOES; e->h.promised = -1; e->draws.pick = 0;
    for (I i = 0; i < e->count; i++) e->found[i * (PARTS + 1)] = 0;
    clear(x, 0, 0);
    hoyle_in(s, (I *)row);
    x->shuffled = 0;
    open_fork(x, s, e, -1, 2);
    while (e->n && e->state == GOES) step_on(x, s, e, longest);
    return e->state;
}
/* For who acts in the state of this row: what each of its actions comes to (whether that is known, and then its parts); the first of the best.
   `bounds`: how many actions may be tried, random games before that and how long they may be, whether all actions are asked for,
   the size of the longest row, and whether only standings count. Returns whether it is solved. */
PUBLIC I hoyle_solved(X *x, S *s, Ending *e, const I *row, I me, const I *bounds, double most, double top, const double *fixed, Position *table, I room, I *rows, I rows_room, double *found, I *told) {
    e->h.me = me; e->h.scale = 1; e->h.score = bounds[5]; e->budget = bounds[0]; e->all = bounds[3]; e->done = 0; e->found = found; e->top = top;
    e->table = table; e->room = room; e->rows = rows; e->rows_room = rows_room; e->reaches = SIDES == 1;
    e->draws.script.next = drawn_from; e->draws.x = x; e->draws.s = s; e->draws.h = &e->h;
    clear(x, 0, 0);
    hoyle_in(s, (I *)row);
    leads(x, s, e->h.lead);
    e->count = s->count;
    told[0] = told[1] = told[2] = 0;
    if (fixed) { e->h.scale = fixed[0]; for (I p = 0; p < SIDES; p++) e->h.lead[p] = fixed[1 + p]; }
    else if (SIDES > 1) {
        double nodes = guessed(x, s, e, row, bounds[1], bounds[2]);
        if (nodes < 0 || nodes > most) return 0;
    }
    if (look_through(x, s, e, row, bounds[4]) == DREW) { e->reaches = 0; look_through(x, s, e, row, bounds[4]); }
    told[0] = e->done; told[1] = e->choice; told[2] = e->line_n;
    for (I i = 0; i < e->line_n; i++) told[3 + i] = e->line[i];
    if (e->reaches && e->choice >= 0 && found[e->choice * (PARTS + 1) + 1] >= top) return 1;
    return e->state == GOES && !(e->reaches && e->cut);
}
