/* Chance: PCG32 seeded through SplitMix64, as in the language. */

static inline U mixed(U v) {
    U z = v + 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
static inline unsigned int next32(Chance *c) {
    U old = c->state;
    c->state = old * 6364136223846793005ull + c->step;
    unsigned int word = (unsigned int)(((old >> 18) ^ old) >> 27), turns = (unsigned int)(old >> 59);
    return (word >> turns) | (word << (-turns & 31));
}
/* Where what chance brings is to be gone through, its step is the address of one of these, and its state 0. No stream has an even step; and what it gives
   is 0, which is looked at again in any case. */
typedef struct Script { I (*next)(struct Script *, I); } Script;
static I scripted(Chance *c, I bound) {
    Script *script = (Script *)(Z)c->step;
    c->state = 0;
    return script->next(script, bound);
}
static inline I below(Chance *c, I bound) {
    unsigned int b = (unsigned int)bound, found = next32(c);
    if (found < b) {
        if (!(c->step & 1)) return scripted(c, bound);
        for (unsigned int least = -b % b; found < least;) found = next32(c);
    }
    return found % b;
}
static Chance stream(U seed, U index, U use) {
    U mix = mixed(mixed(mixed(seed) ^ index) ^ use);
    Chance c = {0, mixed(mix) << 1 | 1};
    next32(&c);
    c.state += mix;
    next32(&c);
    return c;
}
static inline I stops_looking(X *x, S *s) { if (s->looking) ended(x); return s->looking; }
static void shuffle(X *x, S *s, I i) {
    if (stops_looking(x, s)) return;
    Pile *of = changing(s, i);
    x->shuffled++;
    Chance drawn = s->chance;
    for (I at = of->n - 1; at > 0; at--) {
        I j = below(&drawn, at + 1);
        E one = of->p[at];
        of->p[at] = of->p[j];
        of->p[j] = one;
    }
    s->chance = drawn;
    if (x->log) { note(x, E_SHUFFLE); note(x, i); note_list(x, pile(s, i)); }
}
/* The pieces from a random place on come to lie below those before it, with so many at least in each part. */
static void cut(X *x, S *s, I i, I least) {
    if (stops_looking(x, s)) return;
    Pile *of = changing(s, i);
    x->shuffled++;
    least = larger(least, 1);
    if (of->n >= 2 * least) {
        I at = least + below(&s->chance, of->n - 2 * least + 1);
        E lower[CAP];
        memcpy(lower, of->p, (Z)at * sizeof(E));
        memmove(of->p, of->p + at, (Z)(of->n - at) * sizeof(E));
        memcpy(of->p + of->n - at, lower, (Z)at * sizeof(E));
    }
    if (x->log) { note(x, E_CUT); note(x, i); note_list(x, pile(s, i)); }
}
static void roll(X *x, S *s, I count, I source, I target, I player) {
    if (stops_looking(x, s)) return;
    Pile *cup = changing(s, source), *to = changing(s, target);
    if (count > cup->n) { x->stop = FAULT; return; }
    E thrown[CAP];
    U there[KINDS / 64 + 1] = {0};  /* of the kinds in the cup */
    I left[KINDS], kinds = 0;
    for (I kind = 0; kind < KINDS; kind++) left[kind] = 0;
    for (I i = 0; i < cup->n; i++) {
        I kind = cup->p[i] >> 1;
        kinds += !left[kind]++;
        there[kind >> 6] |= 1ull << (kind & 63);
    }
    for (I r = 0; r < count; r++) {
        I nth = below(&s->chance, kinds), word = 0, at = 0;
        U rest = there[0];
        for (;; nth--) {
            while (!rest) rest = there[++word];
            if (!nth) break;
            rest &= rest - 1;
        }
        I kind = word * 64 + __builtin_ctzll(rest);
        while (cup->p[at] >> 1 != kind) at++;
        thrown[r] = (E)arrive(cup->p[at], target);
        take_at(cup, at);
        if (!--left[kind]) { kinds--; there[word] &= ~(1ull << (kind & 63)); }
    }
    if (to->n + count > CAP) { x->stop = FULL; return; }
    for (I r = 0; r < count; r++) to->p[to->n++] = thrown[r];
    fits(x, s, target);
    if (x->log) { note(x, E_ROLL); note(x, target); note_list(x, (L){thrown, larger(count, 0), 0}); note(x, player); }
}
/* One of the items, or NOTHING_DRAWN. */
#define NOTHING_DRAWN (-9223372036854775807ll - 1)
static I lots(X *x, S *s, L items, I label) {
    if (stops_looking(x, s) || !items.n) return NOTHING_DRAWN;
    I found = items.p[below(&s->chance, items.n)];
    if (x->log) { note(x, E_LOTS); note(x, label); note(x, found); }
    return found;
}

