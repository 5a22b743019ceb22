/* Obligations that look ahead: `never_twice` and `maximise`, after the generated functions that they try. */

#if SEEN || AIMS_N
/* A copy in which something is tried: without events, and not beyond the end of what is looked through. */
static S *imagined(X *x, S *s) {
    if (x->looked == TRIES) { x->stop = FULL; return 0; }
    S *tried = x->tries + x->looked++;
    if (tried->of == s->version) copy_changed(tried->P, s->P, tried->changed);
    else copy_piles(tried->P, s->P);
    copy_cells(tried, s);
    tried->of = s->version; tried->changed = 0; tried->before = s->P;
    tried->looking = 1;
    x->log = 0;
    return tried;
}
#endif
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
/* A number for an arrangement, the sum of one for each pile and its place, so that it is soon found again where few piles change. */
static U told(const E *pieces, I n, I place) {
    U found = (U)place << 32 | (U)n, two;
    for (; n > 1; n -= 2, pieces += 2) {
        memcpy(&two, pieces, sizeof two);
        found = (found ^ two) * 0x9E3779B97F4A7C15ull;
        found ^= found >> 32;
    }
    return mixed(n ? found ^ (U)*pieces << 7 : found);
}
static U told_in(const E *text, I n) {
    U found = 0;
    for (I at = 0, place = 0; at < n; at += text[at] + 1, place++) found += told(text + at + 1, text[at], place);
    return found;
}
static U told_again(S *s, S *tried, L numbers, U known) {
    for (I i = 0; i < numbers.n; i++)
        if (tried->changed & BIT(numbers.p[i])) {
            L before = pile(s, numbers.p[i]), now = pile(tried, numbers.p[i]);
            known += told(now.p, now.n, i) - told(before.p, before.n, i);
        }
    return known;
}
static I is_told(const Seen *seen, E guard, U number) {
    for (I i = 0; i < seen->n; i++) if (seen->told[i] == number && seen->guard[i] == guard) return 1;
    return 0;
}
static I among(const Seen *seen, E guard, const E *text, I n, U number) {
    for (I i = 0; i < seen->n; i++)
        if (seen->told[i] == number && seen->guard[i] == guard && seen->size[i] == n && ordered((L){(E *)seen->text + seen->at[i], n, 0}, (L){(E *)text, n, 0}) == 0) return 1;
    return 0;
}
static void remember(X *x, S *s, const E *a, I number, L numbers) {
    if (s->looking) return;  /* which binds nobody there */
    const Guard *guard = GUARDS + number;
    Seen *seen = (Seen *)((char *)s + guard->seen);
    for (I i = 0; i < guard->forgetting_n; i++)
        if (guard->forgetting[i] == a[0]) {
            I kept = 0, used = 0;
            for (I j = 0; j < seen->n; j++) {
                if (seen->guard[j] == guard->number) continue;
                memmove(seen->text + used, seen->text + seen->at[j], (Z)seen->size[j] * sizeof(E));
                seen->guard[kept] = seen->guard[j]; seen->told[kept] = seen->told[j]; seen->size[kept] = seen->size[j]; seen->at[kept] = used;
                used += seen->size[kept++];
            }
            seen->n = kept; seen->used = used;
            return;
        }
    E text[ARRANGED];
    I n = arrangement(x, s, numbers, text);
    U number_of = told_in(text, n);
    if (x->stop || among(seen, (E)guard->number, text, n, number_of)) return;
    if (seen->n == SEEN || seen->used + n > SEEN_TEXT) { x->stop = FULL; return; }
    seen->guard[seen->n] = (E)guard->number; seen->size[seen->n] = n; seen->at[seen->n++] = seen->used;
    seen->told[seen->n - 1] = number_of;
    memcpy(seen->text + seen->used, text, (Z)n * sizeof(E));
    seen->used += n;
}
static L never_twice(X *x, S *s, L acts, I number, L numbers) {
    if (s->looking) return acts;
    const Guard *guard = GUARDS + number;
    Seen *seen = (Seen *)((char *)s + guard->seen);
    E now[ARRANGED], made[ARRANGED];
    I n = arrangement(x, s, numbers, now), *log = x->log;
    U known = told_in(now, n);
    L kept = L_for(x, acts.n);
    if (!kept.p) return kept;
    s->version = ++x->versions;
    for (I i = 0; i < acts.n && !x->stop; i++) {
        const E *a = s->acts[acts.p[i]];
        I bound = 0;
        for (I j = 0; j < guard->over_n; j++) bound |= guard->over[j] == a[0];
        if (bound) {
            S *tried = imagined(x, s);
            if (!tried) break;
            apply(x, tried, guard->label, a);
            x->log = log; x->looked--;
            if (x->stop == ENDED) x->stop = FAULT;
            U other = told_again(s, tried, numbers, known);
            if (other == known || is_told(seen, (E)guard->number, other)) {
                I m = arrangement(x, tried, numbers, made);
                if (!ordered((L){now, n, 0}, (L){made, m, 0}) || among(seen, (E)guard->number, made, m, other)) continue;
            }
        }
        kept.p[kept.n++] = acts.p[i];
    }
    return kept;
}
#endif

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

/* ---- maximise ---- */

#if AIMS_N
/* Looks whether a state in which something was tried was left by its end, which is no fault. */
static I came_to_an_end(X *x) { if (x->stop != ENDED) return 0; x->stop = GOING; return 1; }

/* The state after an action and all that follows; GOES_ON if the same player decides there again. */
enum { GOES_ON, AT_END };
static S *attempt(X *x, S *s, const E *a, I label, I me, I *goes) {
    I *log = x->log, used = x->used;
    S *tried = imagined(x, s);
    if (!tried) return 0;
    I pc = apply(x, tried, label, a);
    if (!x->stop) advance_tried(x, tried, pc);
    tried->version = ++x->versions;
    x->log = log;
    give_back(x, used);
    *goes = came_to_an_end(x) || tried->over || tried->pc != label || tried->actor != me ? AT_END : GOES_ON;
    return tried;
}
static I compared(const Sums *a, const Sums *b) {
    for (I i = 0; i < a->n && i < b->n; i++) if (a->sum[i] != b->sum[i]) return a->sum[i] < b->sum[i] ? -1 : 1;
    return a->n < b->n ? -1 : a->n > b->n;
}
/* A search goes down a level for each state whose actions it looks through, and comes up with what was asked of them: what sequences of
   them come to; whether one of those is spared; or which of the actions an obligation leaves. Each level of the first two has a state of
   its own, below which is at most one of the third, so that there are never more than LEVELS. */
enum { COMES_TO, SPARED, LEAVES };

/* What this search has found of a state before: the greatest sums (n -1: none), or whether it begins a spared sequence. */
static Memo *memory_of(X *x, S *s, I aim, I asks) {
    Key key = key_of(s);
    U one = key.one + (U)(2 * aim + asks), two = key.two;
    for (I slot = (I)(one & (MEMOS - 1)), n = 0; n < MEMOS / 2; n++, slot = (slot + 1) & (MEMOS - 1)) {
        Memo *found = x->memos + slot;
        if (found->epoch != x->epoch) { found->epoch = x->epoch; found->one = one; found->two = two; found->known = 0; return found; }
        if (found->one == one && found->two == two) return found;
    }
    x->stop = FULL;
    return x->memos;
}
static I may_end(X *x, S *s, I aim) { return !AIMS[aim].ends || AIMS[aim].ends(x, s, x->me); }
static const E *action_at(const Level *l) { return l->list ? l->list[l->at] : offered(l->s, l->at); }

static Level *deeper(X *x, I asks, S *s, I n, I aim, I earlier) {
    Level *l = x->levels + x->depth++;
    l->asks = asks; l->s = s; l->n = n; l->aim = aim; l->earlier = earlier;
    l->at = 0; l->filtered = 0; l->sparing = asks == SPARED; l->found = 0;
    l->list = 0; l->left = 0; l->memo = 0; l->most.n = 0; l->best.n = 0;
    l->used = x->used; l->looked = x->looked;
    return l;
}
/* Of the actions `left`, those that begin a sequence with the greatest sums; and then the others that begin a spared one. */
static void sort_out(X *x, S *s, const E **list, I n, char *left, I aim, I earlier, const Sums *most) {
    Level *l = deeper(x, LEAVES, s, n, aim, earlier);
    l->list = list; l->left = left; l->most = *most;
    l->sums = memory(x, n * (I)sizeof(Sums));
    l->kept = memory(x, n);
}

/* What was asked of the action that the level on top is at: whether there is such a sequence, and its sums after that action (n 0: none). */
static void answer(X *x, I there, const Sums *rest) {
    x->answered = 1; x->there = there;
    if (rest) x->rest = *rest; else x->rest.n = 0;
}
/* Does one action of a state come to all that could be hoped for? Where no action makes a sum less, what follows takes nothing away. */
static I reached(X *x, S *s, I aim, const Sums *most) {
    Sums own;
    own.n = AIMS[aim].size;
    for (I i = 0; i < s->count; i++) {
        AIMS[aim].weigh(x, s, x->me, offered(s, i), own.sum);
        if (!compared(&own, most)) return 1;
    }
    return 0;
}
static void ask_sums(X *x, S *s, I aim, I earlier, const Sums *most) {
    if (AIMS[aim].grows && !earlier && most->n && reached(x, s, aim, most)) { answer(x, 1, most); return; }
    Memo *memo = 0;
    if (x->looked > 1) {  /* states after one action are all different, or nearly */
        memo = memory_of(x, s, aim, COMES_TO);
        if (memo->known) { answer(x, memo->found.n >= 0, &memo->found); return; }
    }
    Level *l = deeper(x, COMES_TO, s, s->count, aim, earlier);
    l->memo = memo; l->most = *most;
    if (!earlier) return;
    l->left = memory(x, l->n);
    if (l->left) memset(l->left, 1, (Z)l->n);
}
static void ask_spared(X *x, S *s, I aim) {
    Memo *memo = memory_of(x, s, aim, SPARED);
    if (memo->known) answer(x, memo->found.n, 0);
    else deeper(x, SPARED, s, s->count, aim, 0)->memo = memo;
}
/* Tries the action that a level is at. */
static void try_for_sums(X *x, Level *l) {
    const E *a = action_at(l);
    I goes;
    Sums most;
    l->own.n = AIMS[l->aim].size;
    AIMS[l->aim].weigh(x, l->s, x->me, a, l->own.sum);
    if (AIMS[l->aim].grows && l->most.n && !compared(&l->own, &l->most)) { answer(x, 1, 0); return; }
    S *tried = attempt(x, l->s, a, AIMS[l->aim].label, x->me, &goes);
    if (x->stop) return;
    if (goes == AT_END) { answer(x, may_end(x, tried, l->aim), 0); return; }
    most.n = l->most.n;
    for (I i = 0; i < most.n; i++) most.sum[i] = l->most.sum[i] - l->own.sum[i];
    ask_sums(x, tried, l->aim, l->earlier, &most);
}
static void try_for_spared(X *x, Level *l) {
    I goes;
    S *tried = attempt(x, l->s, action_at(l), AIMS[l->aim].label, x->me, &goes);
    if (x->stop) return;
    if (goes == GOES_ON) ask_spared(x, tried, l->aim);
    else answer(x, may_end(x, tried, l->aim) && AIMS[l->aim].spare(x, tried, x->me), 0);
}

static void take_sums(X *x, Level *l) {
    for (I i = 0; i < x->rest.n; i++) l->own.sum[i] += x->rest.sum[i];
    if (x->there && (!l->best.n || compared(&l->own, &l->best) > 0)) l->best = l->own;
    if (l->asks == LEAVES) { l->sums[l->at] = l->own; if (!x->there) l->sums[l->at].n = -1; }
    else if (l->best.n && l->most.n && compared(&l->best, &l->most) >= 0) l->at = l->n;
}
static void take_spared(X *x, Level *l) {
    if (l->asks == LEAVES) l->kept[l->at] = (char)x->there;
    else if (x->there) { l->found = 1; l->at = l->n; }
}

/* Where a sequence that was begun may still reach what was found at its first action, only what does is kept. */
static void hold_to(X *x, Level *l) {
    if (x->depth > 1 || AIMS[l->aim].reach < 0) return;
    Reach *reach = (Reach *)((char *)l->s + AIMS[l->aim].reach);
    if (!reach->n) { reach->n = l->best.n; for (I i = 0; i < reach->n; i++) reach->p[i] = item_of(x, l->best.sum[i]); }
    I equal = reach->n == l->best.n;
    for (I i = 0; equal && i < reach->n; i++) equal = reach->p[i] == l->best.sum[i];
    if (!equal) memset(l->kept, 0, (Z)l->n);
}
static void keep_the_greatest(X *x, Level *l) {
    I none = !l->best.n && AIMS[l->aim].ends && may_end(x, l->s, l->aim);
    for (I i = 0; i < l->n; i++)
        l->kept[i] = l->left[i] && !none && (!l->best.n || (l->sums[i].n >= 0 && !compared(l->sums + i, &l->best)));
    hold_to(x, l);
}
static void tell_sums(X *x, Level *l) {
    if (!l->best.n && AIMS[l->aim].ends && may_end(x, l->s, l->aim)) { l->best.n = AIMS[l->aim].size; memset(l->best.sum, 0, sizeof l->best.sum); }
    if (!l->best.n) l->best.n = -1;
    if (l->memo) { l->memo->known = 1; l->memo->found = l->best; }
    answer(x, l->best.n > 0, &l->best);
}
static void tell_spared(X *x, Level *l) {
    l->memo->known = 1; l->memo->found.n = l->found;
    answer(x, l->found, 0);
}
/* A level has looked through all its actions: it goes through them for the second time, or up. */
static void finish(X *x, Level *l) {
    if (l->asks == LEAVES) {
        if (!l->sparing) keep_the_greatest(x, l);
        if (!l->sparing && AIMS[l->aim].spare) {
            for (I i = 0; i < l->n; i++) if (l->kept[i]) l->left[i] = 0;
            l->sparing = 1; l->at = 0;
            return;
        }
        memcpy(l->left, l->kept, (Z)l->n);
    }
    else if (l->asks == COMES_TO) tell_sums(x, l);
    else tell_spared(x, l);
    give_back(x, l->used);
    x->depth--;
}
static void step(X *x, Level *l) {
    if (x->answered) {
        x->answered = 0; x->looked = l->looked;
        if (l->sparing) take_spared(x, l); else take_sums(x, l);
        l->at++;
    }
    if (l->asks == COMES_TO && l->filtered < l->earlier) {
        const Sums unbounded = {0};
        I e = l->filtered++;
        sort_out(x, l->s, 0, l->n, l->left, x->earlier[e], e, &unbounded);
        return;
    }
    while (l->at < l->n && l->left && !l->left[l->at]) l->at++;
    if (l->at >= l->n) finish(x, l);
    else if (l->sparing) try_for_spared(x, l);
    else try_for_sums(x, l);
}
static L maximise(X *x, S *s, L acts, I me, L most, I aim, L earlier) {
    if (s->looking) return acts;
    const E **list = memory(x, acts.n * (I)sizeof(E *));
    char *left = memory(x, acts.n);
    Sums bound;
    if (most.n > SUMS) x->stop = FULL;
    if (x->stop) return acts;
    bound.n = most.n;
    for (I i = 0; i < most.n; i++) bound.sum[i] = most.p[i];
    for (I i = 0; i < acts.n; i++) { list[i] = s->acts[acts.p[i]]; left[i] = 1; }
    s->version = ++x->versions;
    x->epoch++; x->depth = 0; x->answered = 0; x->me = me; x->earlier = earlier.p;
    sort_out(x, s, list, acts.n, left, aim, earlier.n, &bound);
    while (x->depth && !x->stop) step(x, x->levels + x->depth - 1);
    L kept = {0, 0, 0};
    for (I i = 0; i < acts.n; i++) if (left[i]) L_push(x, &kept, acts.p[i]);
    return kept;
}
#endif

