/* Plays games of a native engine, in every way that Python calls it, where sanitizers watch: a program of its own, built with the text
   of a game before it. Each game's numbers are printed, and its state at the end, which must be the same in one call and step by step. */

int printf(const char *, ...);
long long atoll(const char *);
void *calloc(Z, Z), *malloc(Z);
void free(void *);
int memcmp(const void *, const void *, Z);

static void show(const char *what, const I *numbers, I n) {
    printf("%s", what);
    for (I i = 0; i < n; i++) printf(" %lld", numbers[i]);
    printf("\n");
}
/* The state at the end of a game of single steps, each in memory where something else lay before. Returns how long the row is. */
static I stepped(X *x, U seed, U index, I most, I *row, I *log, I log_size) {
    Chance own = stream(seed, index, 0), pick = stream(seed, index, 1);
    S *s = malloc(sizeof *s);
    I n = hoyle_start(x, s, own.state, own.step, log, log_size) ? -1 : hoyle_out(s, row);
    for (I k = 0; k < most && n >= 0 && !s->over; k++) {
        I number = s->count > 1 ? below(&pick, s->count) : 0;
        memset(s, 0x5a, sizeof *s);
        if (hoyle_in(s, row) != n) n = -2;
        else n = hoyle_play(x, s, number, log, log_size) ? -1 : hoyle_out(s, row);
    }
    free(s);
    return n;
}
static void *scribbled(I bytes) {
    void *found = malloc((Z)bytes);
    memset(found, 0x5a, (Z)bytes);
    return found;
}
/* The first games in lanes, in memory where something else lay before. Returns the first that comes to something else than in a series, or how many were played. */
static I in_lanes(X *x, U seed, I games, I most, const I *counts) {
    enum { N = 3 };
    U *index = scribbled(N * sizeof(U)), before[N];
    I numbers[N], wrong = games, left = N;
    Lanes l = {.states = scribbled(N * sizeof(S)), .index = index, .decided = scribbled(N * sizeof(I)), .pick = scribbled(N * sizeof(Chance)),
        .results = scribbled(N * 2 * SIDES * sizeof(I)), .length = scribbled(N * sizeof(I)), .count = scribbled(N * sizeof(int)),
        .actor = scribbled(N), .over = scribbled(N), .cut = scribbled(N), .lead = scribbled(N * SIDES * sizeof(double)),
        .gained = scribbled(N * SIDES * sizeof(double)), .seed = seed, .stride = N, .most = most};
    for (I i = 0; i < N; i++) index[i] = (U)i;
    hoyle_lanes_begin(x, &l, 0, N);
    while (left) {
        memcpy(before, index, sizeof before);
        hoyle_lanes_pick(x, &l, 0, N, numbers);
        hoyle_lanes_step(x, &l, 0, N, numbers);
        for (I i = 0; i < N; i++) {
            if (!l.over[i] && !l.cut[i]) continue;
            const I *own = counts + before[i] * COUNTS;
            if (before[i] >= (U)games) continue;
            left -= before[i] + N >= (U)games;
            if (l.length[i] != own[0] || l.over[i] != own[5] || memcmp(l.results + i * 2 * SIDES, own + 6 + MOVES, 2 * SIDES * sizeof(I)))
                wrong = smaller(wrong, (I)before[i]);
        }
    }
    free(l.states); free(l.index); free(l.decided); free(l.pick); free(l.results); free(l.length); free(l.count); free(l.actor); free(l.over); free(l.cut); free(l.lead); free(l.gained);
    return wrong;
}
int main(int given, char **words) {
    if (given < 6) return 2;
    U seed = (U)atoll(words[1]);
    I games = atoll(words[2]), most = atoll(words[3]), longest = atoll(words[4]), log_size = atoll(words[5]);
    X *x = calloc(1, sizeof *x);
    S *s = malloc(sizeof *s);
    I *counts = malloc((Z)(COUNTS * games) * sizeof(I)), *row = malloc((Z)longest * sizeof(I)), *again = malloc((Z)longest * sizeof(I));
    I *log = malloc((Z)log_size * sizeof(I));
    I done = hoyle_series(x, s, seed, 0, games, most, counts);
    for (I g = 0; g < done; g++) show("counts", counts + g * COUNTS, COUNTS);
    show("hits", x->hits, HITS_N);
    for (I g = 0; g < done; g++) {
        I stop = hoyle_playout(x, s, seed, (U)g, most, log, log_size), n = hoyle_out(s, row);
        I m = stepped(x, seed, (U)g, most, again, log, log_size);
        if (stop || n != m || memcmp(row, again, (Z)n * sizeof(I))) { printf("game %lld: stopped %lld, %lld numbers and %lld\n", g, stop, n, m); return 1; }
    }
    I same = done >= 3 ? in_lanes(x, seed, done, most, counts) : done;
    if (same != done) { printf("game %lld comes to something else in a lane\n", same); return 1; }
    free(x); free(s); free(counts); free(row); free(again); free(log);
    return 0;
}
