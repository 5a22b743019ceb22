/* What comes after the generated functions: the loop that runs blocks, obligations that look ahead, series, and how states come and go. */

static void advance(X *x, S *s, I pc) {
    I used = x->used, pooled = x->pooled;
    for (I n = 0; pc >= 0;) {
        pc = run(x, s, pc);
        give_back(x, used); x->pooled = pooled;
        if (++n == MOST_BLOCKS) x->stop = FAULT;
        if (x->stop) return;
    }
    if (pc == -2) { s->over = 1; s->count = 0; s->actor = -1; }
}

/* Looks whether a state in which something was tried was left by its end, which is no fault. */
static I came_to_an_end(X *x) { if (x->stop != ENDED) return 0; x->stop = GOING; return 1; }

/* A copy in which something is tried: without events, and not beyond the end of what is looked through. */
static S *imagined(X *x, S *s) {
    if (x->looked == TRIES) { x->stop = FULL; return 0; }
    S *tried = x->tries + x->looked++;
    copy_board(tried, s);
    tried->looking = 1;
    x->log = 0;
    return tried;
}
/* The state after an action and all that follows; GOES_ON if the same player decides there again. */
enum { GOES_ON, AT_END };
static S *attempt(X *x, S *s, const E *a, I label, I me, I *goes) {
    I *log = x->log;
    S *tried = imagined(x, s);
    if (!tried) return 0;
    I pc = apply(x, tried, label, a);
    if (!x->stop) advance(x, tried, pc);
    x->log = log;
    *goes = came_to_an_end(x) || tried->over || tried->pc != label || tried->actor != me ? AT_END : GOES_ON;
    return tried;
}

/* ---- never twice ---- */

#if SEEN
static I arrangement(X *x, S *s, L numbers, E *to) {
    I n = 0;
    for (I i = 0; i < numbers.n; i++) {
        L of = pile(s, numbers.p[i]);
        if (n + of.n + 1 > ARRANGED) { x->stop = FULL; return 0; }
        to[n++] = (E)of.n;
        memcpy(to + n, of.p, (Z)of.n * sizeof(E));
        n += of.n;
    }
    return n;
}
static I among(const Seen *seen, E guard, const E *text, I n) {
    for (I i = 0; i < seen->n; i++)
        if (seen->guard[i] == guard && seen->size[i] == n && ordered((L){(E *)seen->text + seen->at[i], n, 0}, (L){(E *)text, n, 0}) == 0) return 1;
    return 0;
}
static void remember(X *x, S *s, const E *a, I number, L numbers) {
    const Guard *guard = GUARDS + number;
    Seen *seen = (Seen *)((char *)s + guard->seen);
    for (I i = 0; i < guard->forgetting_n; i++)
        if (guard->forgetting[i] == a[0]) {
            I kept = 0, used = 0;
            for (I j = 0; j < seen->n; j++) {
                if (seen->guard[j] == guard->number) continue;
                memmove(seen->text + used, seen->text + seen->at[j], (Z)seen->size[j] * sizeof(E));
                seen->guard[kept] = seen->guard[j]; seen->size[kept] = seen->size[j]; seen->at[kept] = used;
                used += seen->size[kept++];
            }
            seen->n = kept; seen->used = used;
            return;
        }
    E text[ARRANGED];
    I n = arrangement(x, s, numbers, text);
    if (x->stop || among(seen, (E)guard->number, text, n)) return;
    if (seen->n == SEEN || seen->used + n > SEEN_TEXT) { x->stop = FULL; return; }
    seen->guard[seen->n] = (E)guard->number; seen->size[seen->n] = n; seen->at[seen->n++] = seen->used;
    memcpy(seen->text + seen->used, text, (Z)n * sizeof(E));
    seen->used += n;
}
static L never_twice(X *x, S *s, L acts, I number, L numbers) {
    if (s->looking) return acts;
    const Guard *guard = GUARDS + number;
    Seen *seen = (Seen *)((char *)s + guard->seen);
    E now[ARRANGED], made[ARRANGED];
    I n = arrangement(x, s, numbers, now), *log = x->log;
    L kept = {0, 0, 0};
    for (I i = 0; i < acts.n && !x->stop; i++) {
        const E *a = x->pool[acts.p[i]];
        I bound = 0;
        for (I j = 0; j < guard->over_n; j++) bound |= guard->over[j] == a[0];
        if (bound) {
            S *tried = imagined(x, s);
            if (!tried) break;
            apply(x, tried, guard->label, a);
            x->log = log; x->looked--;
            if (x->stop == ENDED) x->stop = FAULT;
            I m = arrangement(x, tried, numbers, made);
            if (!ordered((L){now, n, 0}, (L){made, m, 0}) || among(seen, (E)guard->number, made, m)) continue;
        }
        L_push(x, &kept, acts.p[i]);
    }
    return kept;
}
#endif

/* ---- maximise ---- */

#if AIMS_N
typedef struct { I n; I sum[SUMS]; } Sums;
static I compared(const Sums *a, const Sums *b) {
    for (I i = 0; i < a->n && i < b->n; i++) if (a->sum[i] != b->sum[i]) return a->sum[i] < b->sum[i] ? -1 : 1;
    return a->n < b->n ? -1 : a->n > b->n;
}
/* Two numbers that states which differ in what a search looks at do not share: the 128 bits stand for the state. Piles in which only what
   lies there counts add the numbers of their pieces; in others their places count too. */
typedef struct { U one, two; } Key;
#define STIRRED(v, by) (((v) ^ (v) >> 29) * (by))
static Key key_of(S *s) {
    U a = 0x243F6A8885A308D3ull, b = 0x13198A2E03707344ull;
    for (I i = 0; i < PILES; i++) {
        Pile *of = PILE(s, i);
        U sum = 0, other = (U)of->n;
        if (HEAP[i]) for (I at = 0; at < of->n; at++) { const U *code = CODES[of->p[at]]; sum += code[0]; other += code[1]; }
        else for (I at = 0; at < of->n; at++) { const U *code = CODES[of->p[at]]; sum = STIRRED(sum + code[0], 0xff51afd7ed558ccdull); other = (other ^ code[1]) * 0xc4ceb9fe1a85ec53ull; }
        a = STIRRED(a ^ sum, 0x9E3779B97F4A7C15ull); b = STIRRED(b + other, 0xC2B2AE3D27D4EB4Full);
    }
    for (I i = 0; i < CELLS; i++) { a = (a + (U)s->C[i]) * 0xff51afd7ed558ccdull; b = STIRRED(b ^ (U)s->C[i], 0xc4ceb9fe1a85ec53ull); }
    return (Key){mixed(a), mixed(b ^ a >> 32)};
}
/* What this search has found of a state before; `kind` 0: the greatest sums (n -1: none), 1: whether it begins a spared sequence. */
static Memo *memory_of(X *x, Key key, I aim, I kind) {
    U one = key.one + (U)(2 * aim + kind), two = key.two;
    for (I slot = (I)(one & (MEMOS - 1)), n = 0; n < MEMOS / 2; n++, slot = (slot + 1) & (MEMOS - 1)) {
        Memo *found = x->memos + slot;
        if (found->epoch != x->epoch) { found->epoch = x->epoch; found->one = one; found->two = two; found->known = 0; return found; }
        if (found->one == one && found->two == two) return found;
    }
    x->stop = FULL;
    return x->memos;
}
static I may_end(X *x, S *s, I aim, I me) { return !AIMS[aim].ends || AIMS[aim].ends(x, s, me); }
static I best_sums(X *x, S *s, const E *a, I aim, I me, const Sums *most, L earlier, Sums *found);
static I is_spared(X *x, S *s, const E *a, I aim, I me);

/* Marks which of the actions an aim leaves: those that begin a sequence with the greatest sums. Returns whether `best` is anything. */
static I greatest_sums(X *x, S *s, const E *const *acts, I n, char *left, I aim, I me, const Sums *most, L earlier, Sums *best) {
    I any = 0, used = x->used;
    Sums *one = memory(x, n * (I)sizeof(Sums));
    if (!one) return 0;
    for (I i = 0; i < n; i++) {
        if (!left[i]) continue;
        if (!best_sums(x, s, acts[i], aim, me, most, earlier, one + i)) one[i].n = -1;
        if (x->stop) return 0;
        if (one[i].n >= 0 && (!any || compared(one + i, best) > 0)) { *best = one[i]; any = 1; }
    }
    if (any) for (I i = 0; i < n; i++) left[i] = left[i] && one[i].n >= 0 && !compared(one + i, best);
    else {
        best->n = 0;
        if (AIMS[aim].ends && may_end(x, s, aim, me)) for (I i = 0; i < n; i++) left[i] = 0;
    }
    give_back(x, used);
    return any;
}
/* What the obligations before this one leave of the actions of a state. */
static void left_by(X *x, S *s, const E *const *acts, I n, char *left, I me, L earlier) {
    for (I i = 0; i < n; i++) left[i] = 1;
    for (I e = 0; e < earlier.n && !x->stop; e++) {
        I used = x->used;
        char *kept = memory(x, n);
        Sums best = {0};
        if (!kept) return;
        memcpy(kept, left, (Z)n);
        greatest_sums(x, s, acts, n, kept, earlier.p[e], me, 0, take(earlier, e), &best);
        for (I i = 0; i < n; i++) left[i] = left[i] && (kept[i] || is_spared(x, s, acts[i], earlier.p[e], me));
        give_back(x, used);
    }
}
/* Does one action of a state come to all that could be hoped for? Where no action makes a sum less, what follows takes nothing away. */
static I reached(X *x, S *s, I aim, I me, const Sums *most) {
    Sums own;
    own.n = AIMS[aim].size;
    for (I i = 0; i < s->count; i++) {
        AIMS[aim].weigh(x, s, me, s->acts[i], own.sum);
        if (!compared(&own, most)) return 1;
    }
    return 0;
}
static I rest_sums(X *x, S *s, I aim, I me, const Sums *most, L earlier, Sums *found) {
    if (AIMS[aim].grows && !earlier.n && most && most->n && reached(x, s, aim, me, most)) { *found = *most; return 1; }
    Key key;
    I remembers = x->looked > 1;  /* states after one action are all different, or nearly */
    if (remembers) {
        key = key_of(s);
        Memo *memo = memory_of(x, key, aim, 0);
        if (memo->known) { found->n = memo->n; memcpy(found->sum, memo->sum, sizeof found->sum); return found->n >= 0; }
    }
    I used = x->used;
    const E **acts = memory(x, s->count * (I)sizeof(E *));
    char *left = memory(x, s->count);
    Sums best = {0}, one;
    if (x->stop) return 0;
    for (I i = 0; i < s->count; i++) acts[i] = s->acts[i];
    left_by(x, s, acts, s->count, left, me, earlier);
    for (I i = 0; i < s->count && !x->stop; i++) {
        if (!left[i]) continue;
        if (best_sums(x, s, acts[i], aim, me, most, earlier, &one) && (!best.n || compared(&one, &best) > 0)) best = one;
        if (best.n && most && most->n && compared(&best, most) >= 0) break;
    }
    if (!best.n && AIMS[aim].ends && may_end(x, s, aim, me)) { best.n = AIMS[aim].size; memset(best.sum, 0, sizeof best.sum); }
    else if (!best.n) best.n = -1;
    if (remembers) {
        Memo *memo = memory_of(x, key, aim, 0);
        memo->known = 1; memo->n = best.n;
        memcpy(memo->sum, best.sum, sizeof memo->sum);
    }
    give_back(x, used);
    *found = best;
    return best.n >= 0;
}
static I best_sums(X *x, S *s, const E *a, I aim, I me, const Sums *most, L earlier, Sums *found) {
    I goes, looked = x->looked, there = 0;
    Sums less = {0}, rest;
    found->n = AIMS[aim].size;
    AIMS[aim].weigh(x, s, me, a, found->sum);
    if (AIMS[aim].grows && most && most->n && !compared(found, most)) return 1;
    S *tried = attempt(x, s, a, AIMS[aim].label, me, &goes);
    if (x->stop) return 0;
    if (goes == AT_END) there = may_end(x, tried, aim, me);
    else {
        if (most && most->n) { less.n = most->n; for (I i = 0; i < less.n; i++) less.sum[i] = most->sum[i] - found->sum[i]; }
        there = rest_sums(x, tried, aim, me, &less, earlier, &rest);
        if (there) for (I i = 0; i < found->n; i++) found->sum[i] += rest.sum[i];
    }
    x->looked = looked;
    return there;
}
/* Does the action begin a sequence that is spared, which shows at its end? */
static I is_spared(X *x, S *s, const E *a, I aim, I me) {
    if (!AIMS[aim].spare) return 0;
    I goes, looked = x->looked, found = 0;
    S *tried = attempt(x, s, a, AIMS[aim].label, me, &goes);
    if (x->stop) return 0;
    if (goes == AT_END) found = may_end(x, tried, aim, me) && AIMS[aim].spare(x, tried, me);
    else {
        Key key = key_of(tried);
        Memo *memo = memory_of(x, key, aim, 1);
        if (memo->known) found = memo->n;
        else {
            for (I i = 0; i < tried->count && !found && !x->stop; i++) found = is_spared(x, tried, tried->acts[i], aim, me);
            memo = memory_of(x, key, aim, 1);
            memo->known = 1; memo->n = found;
        }
    }
    x->looked = looked;
    return found;
}
static L maximise(X *x, S *s, L acts, I me, L most, I aim, L earlier) {
    if (s->looking) return acts;
    const E **list = memory(x, acts.n * (I)sizeof(E *));
    char *left = memory(x, acts.n);
    Sums bound = {0}, best = {0};
    if (most.n > SUMS) x->stop = FULL;
    if (x->stop) return acts;
    bound.n = most.n;
    for (I i = 0; i < most.n; i++) bound.sum[i] = most.p[i];
    for (I i = 0; i < acts.n; i++) { list[i] = x->pool[acts.p[i]]; left[i] = 1; }
    x->epoch++;
    I any = greatest_sums(x, s, list, acts.n, left, aim, me, &bound, earlier, &best);
    if (AIMS[aim].reach >= 0 && !x->stop) {
        Reach *reach = (Reach *)((char *)s + AIMS[aim].reach);
        if (!reach->n && any) { reach->n = best.n; for (I i = 0; i < best.n; i++) reach->p[i] = item_of(x, best.sum[i]); }
        I equal = reach->n == (any ? best.n : 0);
        for (I i = 0; equal && i < reach->n; i++) equal = reach->p[i] == best.sum[i];
        for (I i = 0; i < acts.n; i++) left[i] = (equal && left[i]) || is_spared(x, s, list[i], aim, me);
    }
    L kept = {0, 0, 0};
    for (I i = 0; i < acts.n; i++) if (left[i]) L_push(x, &kept, acts.p[i]);
    return kept;
}
#endif

/* ---- games ---- */

static void fresh(S *s, Chance chance) {
    memset(s, 0, __builtin_offsetof(S, faults));  /* what lies behind is only read as far as it was written */
    forget(s);
    s->chance = chance;
    s->pc = -1; s->actor = -1;
    for (I i = 0; i < KINDS; i++)
        for (I c = 0; c < COPIES[i]; c++) { Pile *home = PILE(s, HOMES[i]); home->p[home->n++] = (E)(2 * i | (FACE[HOMES[i]] == 1)); }
    for (I i = 0; i < CELLS; i++) s->C[i] = FIRST[i];
}
static I clear(X *x, I *log, I log_size) {
    shut(x->arena, sizeof x->arena);
    x->stop = GOING; x->used = 0; x->pooled = 0; x->looked = 0; x->decided = 0; x->log = log; x->logged = 0; x->log_size = log_size;
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
    fresh(s, (Chance){state, step});
    advance(x, s, ENTRY);
    return x->stop;
}
static void act(X *x, S *s, I number) {
    if (x->log) {
        note(x, E_MOVE); note(x, s->actor); note(x, s->pc);
        for (I i = 0; i < WIDTH; i++) note(x, s->acts[number][i]);
    }
    I pc = apply(x, s, s->pc, s->acts[number]);
    if (!x->stop) advance(x, s, pc);
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
    Chance pick = stream(seed, index, 1);
    I last = -2, *moves = counts + 6;
    clear(x, 0, 0);
    fresh(s, stream(seed, index, 0));
    memset(counts, 0, COUNTS * sizeof(I));
    for (I i = 0; i < EARLY_N; i++) counts[6 + MOVES + 2 * SIDES + i] = -x->hits[EARLY[i]];
    advance(x, s, ENTRY);
    for (I i = 0; i < EARLY_N; i++) counts[6 + MOVES + 2 * SIDES + i] += x->hits[EARLY[i]];
    while (!x->stop && !s->over && counts[0] < most) {
        I n = s->count, number = n > 1 ? below(&pick, n) : 0;
        counts[0]++; counts[1] += n > 1; counts[2] += s->actor != last; counts[3] += n;
        if (n > counts[4]) counts[4] = n;
        last = s->actor;
        moves[s->acts[number][0]]++;
        act(x, s, number);
    }
    counts[5] = s->over;
    if (!x->stop) ended_with(x, s, moves + MOVES);
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
