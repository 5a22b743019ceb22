/* Games from their beginning to their end, series of them, and how states come and go. */

static void fresh(S *s, Chance chance) {
    memset(s, 0, __builtin_offsetof(S, faults));  /* what lies behind is only read as far as it was written */
    forget(s);
    for (I i = 0; i <= PILES; i++) s->P[i].none = -1;
    s->chance = chance;
    s->pc = -1; s->actor = -1;
    all_home(s);
    for (I i = 0; i < CELLS; i++) s->C[i] = FIRST[i];
}
static I clear(X *x, I *log, I log_size) {
    shut(x->arena, sizeof x->arena);
    x->stop = GOING; x->used = 0; x->looked = 0; x->counts = 0; x->decided = 0; x->log = log; x->logged = 0; x->log_size = log_size;
    return 0;
}
PUBLIC I hoyle_context(void) { return sizeof(X); }
PUBLIC I hoyle_state(void) { return sizeof(S); }
PUBLIC I hoyle_logged(X *x) { return x->logged; }
PUBLIC I hoyle_decided(X *x) { return x->decided; }
PUBLIC I *hoyle_hits(X *x) { return x->hits; }
/* Begins a game; returns why it stopped (GOING: somebody decides, or it is over). */
PUBLIC I hoyle_start(X *x, S *s, U state, U step, I *log, I log_size) {
    clear(x, log, log_size);
    if (!(step & 1)) return FULL;  /* which no stream has */
    fresh(s, (Chance){state, step});
    advance(x, s, ENTRY);
    return x->stop;
}
/* One decision. What it made in the arena is of no use after it: games of a thousand decisions have room for what one needs. */
static void act(X *x, S *s, I number) {
    const E *a = offered(s, number);
    I used = x->used;
    s->number = number;
    if (x->log) {
        note(x, E_MOVE); note(x, s->actor); note(x, s->pc);
        for (I i = 0; i < WIDTH; i++) note(x, a[i]);
    }
    I pc = apply(x, s, s->pc, a);
    if (!x->stop) advance(x, s, pc);
    give_back(x, used);
}
PUBLIC I hoyle_play(X *x, S *s, I number, I *log, I log_size) {
    clear(x, log, log_size);
    act(x, s, number);
    return x->stop;
}
PUBLIC I hoyle_counts(void) { return COUNTS; }
/* A random game to its end, or for so many decisions. */
PUBLIC I hoyle_playout(X *x, S *s, U seed, U index, I most, I *log, I log_size) {
    Chance pick = stream(seed, index, 1);
    clear(x, log, log_size);
    fresh(s, stream(seed, index, 0));
    advance(x, s, ENTRY);
    while (x->decided < most && !x->stop && !s->over) {
        x->decided++;
        act(x, s, s->count > 1 ? below(&pick, s->count) : 0);
    }
    return x->stop;
}

/* One random game: counts[0…5] decisions, choices, turns, actions offered, the most offered at once, whether it is over;
   then how often each move was made; then scores of the sides, then of each side whether it wins; then of each rule that acts by itself how
   often it did before anybody decided. Returns why it stopped. */
static I one_game(X *x, S *s, U seed, U index, I most, I *counts) {
    clear(x, 0, 0);
    fresh(s, stream(seed, index, 0));
    memset(counts, 0, COUNTS * sizeof(I));
    for (I i = 0; i < EARLY_N; i++) counts[6 + MOVES + 2 * SIDES + i] = -x->hits[EARLY[i]];
    advance(x, s, ENTRY);
    for (I i = 0; i < EARLY_N; i++) counts[6 + MOVES + 2 * SIDES + i] += x->hits[EARLY[i]];
    x->pick = stream(seed, index, 1);
    x->last = -2; x->most = most; x->counts = counts;
    if (!x->stop && !s->over && most > 0) {
        I pc = decided(x, s);
        if (!x->stop) advance(x, s, pc);
    }
    x->counts = 0;
    counts[5] = s->over;
    if (!x->stop) ended_with(x, s, counts + 6 + MOVES);
    return x->stop;
}
/* Games first … first + n - 1 of a series. `counts` has COUNTS numbers a game. Returns how many were played before one
   could not be, of which nothing is counted. */
PUBLIC I hoyle_series(X *x, S *s, U seed, U first, I n, I most, I *counts) {
    for (I i = 0; i < n; i++) {
        I hits[HITS_N + 1];
        memcpy(hits, x->hits, sizeof hits);
        if (!one_game(x, s, seed, first + (U)i, most, counts + i * COUNTS)) continue;
        memcpy(x->hits, hits, sizeof hits);
        return i;
    }
    return n;
}
