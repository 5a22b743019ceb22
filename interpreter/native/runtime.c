/* What generated C calls: lists in an arena, piles, chance, verbs, obligations, series. Freestanding: nothing from libc but memcpy and memset.

   Sizes (PILES, CAP, CELLS, STATE, SEATS, ACTS, WIDTH, …) and the struct S of a state are written before this file. */

typedef struct X X;

/* What a search is going through: the actions of one state, by turns. `driver.c` tells what is asked of them. */
typedef struct {
    I asks, aim, earlier, filtered, sparing, at, n, used, looked, found;
    S *s;
    const E **list;
    char *left, *kept;
    Memo *memo;
    Sums *sums, own, most, best;
} Level;

/* What one thread needs beside states: an arena for lists, and states and levels to look ahead in. */
struct X {
    I stop;
    I used;
    I looked;
    I decided;
    I logged, log_size;
    I *log;
    I hits[HITS_N + 1];
    U versions;
    I *counts, most, last;
    Chance pick;
    I epoch;
    Memo memos[MEMOS];
    I depth, me, answered, there;
    const E *earlier;
    Sums rest;
    Level levels[LEVELS];
    S tries[TRIES];
    U arena[ARENA];
};

enum { GOING, ENDED, FAULT, FULL };

/* Where tests ask for it, lists lie between words that nobody may touch, and nobody may touch what is given back. */
#ifdef GUARDED
void __asan_poison_memory_region(const volatile void *, Z);
void __asan_unpoison_memory_region(const volatile void *, Z);
#define BETWEEN 1
#define shut __asan_poison_memory_region
#define opened __asan_unpoison_memory_region
#else
#define BETWEEN 0
#define shut(from, bytes) ((void)0)
#define opened(from, bytes) ((void)0)
#endif
static void *memory(X *x, I bytes) {
    I words = (bytes + 7) / 8;
    if (x->used + words + BETWEEN > ARENA) { x->stop = FULL; return 0; }
    void *found = x->arena + x->used;
    opened(found, (Z)bytes);
    x->used += words + BETWEEN;
    return found;
}
static inline void give_back(X *x, I used) {
    shut(x->arena + used, (Z)(x->used - used) * sizeof(U));
    x->used = used;
}

/* What is empty may lie nowhere, from where nothing may be copied. */
static inline void carry(void *to, const void *from, I bytes) { if (bytes) memmove(to, from, (Z)bytes); }
/* A number as an item of a list; what is too large for one is left to Python. */
static inline E item_of(X *x, I value) {
    if (value == (E)value) return (E)value;
    x->stop = FULL;
    return 1;
}
/* A search comes to the end of what it looks through, if nothing else has ended it already. */
static inline void ended(X *x) { if (!x->stop) x->stop = ENDED; }

/* ---- lists ---- */

/* Room for at least so many more bytes: where the list is if nothing lies behind it, else twice as large elsewhere. `cap` counts bytes. */
static void *grown(X *x, void *items, I n, I *cap, I more) {
    I had = (*cap + 7) / 8, wanted = (n + more + 7) / 8 - had, add = wanted > had ? wanted : had;
    U *old = items;
    if (add < 8) add = 8;
    if (*cap && old + had == x->arena + x->used) {
        if (!memory(x, add * 8)) return 0;
        *cap = (had + add) * 8;
        return items;
    }
    U *found = memory(x, (had + add) * 8);
    if (!found) return 0;
    carry(found, items, n);
    *cap = (had + add) * 8;
    return found;
}

/* An item is counted from the end if its place is below 0. Where there is none, room was wanting, and somebody will soon see that it all stopped. */
#define LIST(NAME, ITEM)                                                                    \
    typedef struct { ITEM *p; I n, cap; } NAME;                                             \
    static int NAME##_grow(X *x, NAME *to, I more) {                                        \
        I bytes = to->cap * (I)sizeof(ITEM);                                                \
        ITEM *p = grown(x, to->p, to->n * (I)sizeof(ITEM), &bytes, more * (I)sizeof(ITEM)); \
        if (!p) return 0;                                                                   \
        to->p = p;                                                                          \
        to->cap = bytes / (I)sizeof(ITEM);                                                  \
        return 1;                                                                           \
    }                                                                                       \
    static inline void NAME##_push(X *x, NAME *to, ITEM item) {                             \
        if (to->n >= to->cap && !NAME##_grow(x, to, 1)) return;                             \
        to->p[to->n++] = item;                                                              \
    }                                                                                       \
    static inline ITEM NAME##_item(NAME xs, I at) {                                         \
        if (at < 0) at += xs.n;                                                             \
        return (U)at < (U)xs.n ? xs.p[at] : (ITEM){0};                                      \
    }                                                                                       \
    static inline NAME NAME##_made(X *x, I n, const ITEM *items) {                          \
        NAME found = {memory(x, n * (I)sizeof(ITEM)), n, 0};                                \
        if (!found.p) found.n = 0;                                                          \
        else carry(found.p, items, n * (I)sizeof(ITEM));                                    \
        return found;                                                                       \
    }                                                                                       \
    static inline void NAME##_extend(X *x, NAME *to, NAME more) {                           \
        if (!more.n || (to->n + more.n > to->cap && !NAME##_grow(x, to, more.n))) return;   \
        memcpy(to->p + to->n, more.p, (Z)more.n * sizeof(ITEM));                \
        to->n += more.n;                                                                    \
    }                                                                                       \
    /* An empty list with room for n items, nowhere if there is none; and what it holds more. */ \
    static inline NAME NAME##_for(X *x, I n) { return (NAME){memory(x, n * (I)sizeof(ITEM)), 0, n}; } \
    static inline void NAME##_put(NAME *to, NAME more) {                                    \
        for (I i = 0; i < more.n; i++) to->p[to->n + i] = more.p[i];                        \
        to->n += more.n;                                                                    \
    }

LIST(L, E)
LIST(LL, L)
LIST(LLL, LL)
typedef struct { E a, b; } Duo;
LIST(Duos, Duo)
typedef struct { L key; E item; } Keyed;
LIST(KeyedS, Keyed)
typedef struct { L key; L item; } KeyedL;
LIST(KeyedLS, KeyedL)
typedef struct { L key; LL item; } KeyedLL;
LIST(KeyedLLS, KeyedLL)

static inline void add(X *x, L *to, I item) { L_push(x, to, item_of(x, item)); }

/* An item more in a list that has room for it. */
static inline void set_next(X *x, L *to, I item) {
    if (item != (E)item) x->stop = FULL;
    to->p[to->n++] = (E)item;
}
static inline int L_room(X *x, L *to, I more) { return to->n + more <= to->cap || L_grow(x, to, more); }
/* A list that began as the number 0 has, after each item, this item with so much added. No list has room for 32 such steps: small numbers stay small. */
static inline void grow_by(X *x, L *to, I more) {
    I n = to->n;
    if (more < -(1 << 26) || more > 1 << 26) { x->stop = FULL; return; }
    if (!L_room(x, to, n)) return;
    E *from = to->p;
    for (I i = 0; i < n; i++) from[n + i] = from[i] + (E)more;
    to->n = 2 * n;
}

static inline L copied(X *x, L from) { return L_made(x, from.n, from.p); }
static inline L joined(X *x, L a, L b) { L found = {0, 0, 0}; L_extend(x, &found, a); L_extend(x, &found, b); return found; }
static inline L from_range(X *x, I low, I end) { L found = {0, 0, 0}; for (I i = low; i < end; i++) add(x, &found, i); return found; }
static inline L repeated(X *x, I item, I times) { L found = {0, 0, 0}; for (I i = 0; i < times; i++) add(x, &found, item); return found; }

static inline I last_of(L xs) { return xs.n ? xs.p[xs.n - 1] : -1; }
static inline I first_of(L xs) { return xs.n ? xs.p[0] : -1; }
static inline L take(L xs, I count) { return (L){xs.p, count < 0 ? 0 : count < xs.n ? count : xs.n, 0}; }
static inline L take_last(L xs, I count) { I n = count < 0 ? 0 : count < xs.n ? count : xs.n; return (L){xs.p + (xs.n - n), n, 0}; }
static inline LL LL_take(LL xs, I count) { return (LL){xs.p, count < 0 ? 0 : count < xs.n ? count : xs.n, 0}; }
static inline LL LL_take_last(LL xs, I count) { I n = count < 0 ? 0 : count < xs.n ? count : xs.n; return (LL){xs.p + (xs.n - n), n, 0}; }
static inline LLL LLL_take(LLL xs, I count) { return (LLL){xs.p, count < 0 ? 0 : count < xs.n ? count : xs.n, 0}; }
static inline LLL LLL_take_last(LLL xs, I count) { I n = count < 0 ? 0 : count < xs.n ? count : xs.n; return (LLL){xs.p + (xs.n - n), n, 0}; }

static inline I holds(L xs, I item) { for (I i = 0; i < xs.n; i++) if (xs.p[i] == item) return 1; return 0; }
static inline I total(L xs) { I found = 0; for (I i = 0; i < xs.n; i++) found += xs.p[i]; return found; }
static inline I ordered(L a, L b) {
    for (I i = 0; i < a.n && i < b.n; i++) if (a.p[i] != b.p[i]) return a.p[i] < b.p[i] ? -1 : 1;
    return a.n < b.n ? -1 : a.n > b.n;
}
static inline I same_lists(L a, L b, I shift) {
    if (a.n != b.n) return 0;
    for (I i = 0; i < a.n; i++) if (a.p[i] >> shift != b.p[i] >> shift) return 0;
    return 1;
}
static inline I in_pieces(I piece, L xs) { if (piece < 0) return 0; for (I i = 0; i < xs.n; i++) if (xs.p[i] >> 1 == piece >> 1) return 1; return 0; }
static inline I in_lists(L a, LL xs) { for (I i = 0; i < xs.n; i++) if (!ordered(a, xs.p[i])) return 1; return 0; }
static inline I greatest(L xs, I absent) { I found = absent; for (I i = 0; i < xs.n; i++) if (xs.p[i] != absent && (found == absent || xs.p[i] > found)) found = xs.p[i]; return found; }
static inline I least(L xs, I absent) { I found = absent; for (I i = 0; i < xs.n; i++) if (xs.p[i] != absent && (found == absent || xs.p[i] < found)) found = xs.p[i]; return found; }
static inline I larger(I a, I b) { return a > b ? a : b; }
/* Of several numbers; absent if one of them is. */
static inline I greatest_of(const I *xs, I n, I absent) { I found = xs[0]; for (I i = 0; i < n; i++) { if (xs[i] == absent) return absent; if (xs[i] > found) found = xs[i]; } return found; }
static inline I least_of(const I *xs, I n, I absent) { I found = xs[0]; for (I i = 0; i < n; i++) { if (xs[i] == absent) return absent; if (xs[i] < found) found = xs[i]; } return found; }
static inline I smaller(I a, I b) { return a < b ? a : b; }
static inline I over(I a, I b) { I q = a / b; return q * b != a && (a < 0) != (b < 0) ? q - 1 : q; }
static inline I mod(I a, I b) { I r = a % b; return r && (r < 0) != (b < 0) ? r + b : r; }
static inline I distinct(L xs) { for (I i = 1; i < xs.n; i++) for (I j = 0; j < i; j++) if (xs.p[i] == xs.p[j]) return 0; return 1; }
static L different(X *x, L xs) {
    L found = L_for(x, xs.n);
    if (found.p) for (I i = 0; i < xs.n; i++) if (!holds(found, xs.p[i])) found.p[found.n++] = xs.p[i];
    return found;
}
#define BACKWARDS(LIST)                                                                                  \
    static LIST LIST##_backwards(X *x, LIST xs) {                                                        \
        LIST found = LIST##_made(x, xs.n, xs.p);                                                         \
        for (I i = 0; i < found.n; i++) found.p[i] = xs.p[xs.n - 1 - i];                                 \
        return found;                                                                                    \
    }
BACKWARDS(L)
BACKWARDS(LL)
BACKWARDS(LLL)
static L in_size(X *x, L xs) {
    L found = copied(x, xs);
    for (I i = 1; i < found.n; i++) {
        E item = found.p[i]; I j = i;
        for (; j && found.p[j - 1] > item; j--) found.p[j] = found.p[j - 1];
        found.p[j] = item;
    }
    return found;
}
static L left_over(X *x, L items, L taken, I shift) {
    L left = copied(x, items);
    for (I t = 0; t < taken.n; t++)
        for (I i = left.n - 1; i >= 0; i--)
            if (left.p[i] >> shift == taken.p[t] >> shift) {
                for (I j = i + 1; j < left.n; j++) left.p[j - 1] = left.p[j];
                left.n--;
                break;
            }
    return left;
}
/* Items that may be absent, and lists of lists: equal item by item, and all there. */
static inline I same_there(I a, I b, I shift, I left, I right) { return a != left && b != right && a >> shift == b >> shift; }
#define ITEM_BY_ITEM(LIST, ALIKE)                                                                        \
    static inline I LIST##_same_kinds(LIST a, LIST b, I shift, I left, I right) {                        \
        if (a.n != b.n) return 0;                                                                        \
        for (I i = 0; i < a.n; i++) if (!ALIKE(a.p[i], b.p[i], shift, left, right)) return 0;            \
        return 1;                                                                                        \
    }                                                                                                    \
    static inline LIST LIST##_without(X *x, LIST items, LIST taken, I shift, I left, I right) {          \
        LIST kept = LIST##_made(x, items.n, items.p);                                                    \
        for (I t = 0; t < taken.n; t++)                                                                  \
            for (I i = kept.n - 1; i >= 0; i--)                                                          \
                if (ALIKE(kept.p[i], taken.p[t], shift, left, right)) {                                  \
                    for (I j = i + 1; j < kept.n; j++) kept.p[j - 1] = kept.p[j];                        \
                    kept.n--;                                                                            \
                    break;                                                                               \
                }                                                                                        \
        return kept;                                                                                     \
    }
#define AMONG(LIST, LISTS)                                                                               \
    static inline I LIST##_in_kinds(LIST a, LISTS items, I shift, I left, I right) {                     \
        for (I i = 0; i < items.n; i++) if (LIST##_same_kinds(a, items.p[i], shift, left, right)) return 1; \
        return 0;                                                                                        \
    }
ITEM_BY_ITEM(L, same_there)
ITEM_BY_ITEM(LL, L_same_kinds)
ITEM_BY_ITEM(LLL, LL_same_kinds)
AMONG(L, LL)
AMONG(LL, LLL)
#define TAILS(LIST, LISTS)                                                                               \
    static LISTS LIST##_tails(X *x, LIST xs) {                                                           \
        LISTS found = {memory(x, xs.n * (I)sizeof(LIST)), xs.n, 0};                                      \
        if (!found.p) found.n = 0;                                                                       \
        for (I i = 0; i < found.n; i++) found.p[i] = (LIST){xs.p + i, xs.n - i, 0};                      \
        return found;                                                                                    \
    }
TAILS(L, LL)
TAILS(LL, LLL)

/* Insertion keeps the order of equals, as a stable sort does. */
#define IN_ORDER(NAME, KEYED, FROM, TO, PUSH)                                               \
    static TO NAME(X *x, FROM xs) {                                                         \
        for (I i = 1; i < xs.n; i++) {                                                      \
            KEYED one = xs.p[i]; I j = i;                                                   \
            for (; j && ordered(xs.p[j - 1].key, one.key) > 0; j--) xs.p[j] = xs.p[j - 1];   \
            xs.p[j] = one;                                                                  \
        }                                                                                   \
        TO found = {0, 0, 0};                                                               \
        for (I i = 0; i < xs.n; i++) PUSH(x, &found, xs.p[i].item);                          \
        return found;                                                                       \
    }
IN_ORDER(KeyedS_in_order, Keyed, KeyedS, L, L_push)
IN_ORDER(KeyedLS_in_order, KeyedL, KeyedLS, LL, LL_push)
IN_ORDER(KeyedLLS_in_order, KeyedLL, KeyedLLS, LLL, LLL_push)

/* How many subsets of k items there are, up to more than there is room for. */
static I chosen_of(I n, I k) {
    I found = 1;
    for (I i = 1; i <= k && found < ARENA; i++) found = found * (n - k + i) / i;
    return found;
}

/* All of k items, in the order of their places; of any size, the small first. What they take is known before, and lies together. */
#define SUBSETS(PRE, FROM, TO, ITEM)                                                        \
    static void PRE##subsets_of(X *x, TO *found, FROM xs, I k, I count) {                   \
        I at[64];                                                                           \
        if (k > xs.n) return;                                                               \
        if (k > 64) { x->stop = FULL; return; }                                             \
        ITEM *items = memory(x, count * k * (I)sizeof(ITEM));                               \
        if (x->stop || (found->n + count > found->cap && !TO##_grow(x, found, count))) return; \
        FROM *to = found->p + found->n;                                                     \
        found->n += count;                                                                  \
        for (I i = 0; i < k; i++) at[i] = i;                                                \
        for (;; items += k) {                                                               \
            for (I i = 0; i < k; i++) items[i] = xs.p[at[i]];                               \
            *to++ = (FROM){items, k, 0};                                                    \
            I i = k - 1;                                                                    \
            while (i >= 0 && at[i] == xs.n - k + i) i--;                                    \
            if (i < 0) return;                                                              \
            at[i]++;                                                                        \
            for (I j = i + 1; j < k; j++) at[j] = at[j - 1] + 1;                            \
        }                                                                                   \
    }                                                                                       \
    static TO PRE##subsets(X *x, FROM xs) { TO found = {0, 0, 0}; I count = 1; for (I k = 0; k <= xs.n && !x->stop; k++) { PRE##subsets_of(x, &found, xs, k, count); count = smaller(count, ARENA) * (xs.n - k) / (k + 1); } return found; } \
    static TO PRE##subsets_sized(X *x, FROM xs, I k) { TO found = {0, 0, 0}; if (k >= 0 && k <= xs.n) PRE##subsets_of(x, &found, xs, k, chosen_of(xs.n, k)); return found; }
SUBSETS(, L, LL, E)
SUBSETS(LL_, LL, LLL, L)

/* The same one at a time, where only one is looked at. */
#define WALK(PRE, FROM, ITEM)                                                               \
    typedef struct { FROM of; I size; } PRE##Subsets;                                       \
    typedef struct { I k; E at[64]; ITEM one[64]; } PRE##Walk;                              \
    static inline I PRE##begin(X *x, PRE##Walk *w, FROM of, I k) {                          \
        if (k < 0 || k > of.n) return 0;                                                    \
        if (k > 64) { x->stop = FULL; return 0; }                                           \
        w->k = k;                                                                           \
        for (I i = 0; i < k; i++) { w->at[i] = (E)i; w->one[i] = of.p[i]; }                 \
        return 1;                                                                           \
    }                                                                                       \
    static inline I PRE##next(PRE##Walk *w, FROM of, I k) {                                 \
        I i = k - 1, spare = of.n - k;                                                      \
        while (i >= 0 && w->at[i] == spare + i) i--;                                        \
        if (i < 0) return 0;                                                                \
        for (E to = w->at[i] + 1; i < k; i++, to++) { w->at[i] = to; w->one[i] = of.p[to]; } \
        return 1;                                                                           \
    }                                                                                       \
    static inline I PRE##next_any(X *x, PRE##Walk *w, FROM of) { return PRE##next(w, of, w->k) || PRE##begin(x, w, of, w->k + 1); }
WALK(, L, E)
WALK(LL_, LL, L)

/* Have two lists the same items, in whatever order? */
static I alike(L a, L b) {
    if (a.n != b.n) return 0;
    for (I i = 0; i < a.n; i++) {
        I more = 0;
        for (I j = 0; j < a.n; j++) more += (a.p[j] == a.p[i]) - (b.p[j] == a.p[i]);
        if (more) return 0;
    }
    return 1;
}
/* Of lists with the same items, in whatever order, the first. */
static LL unique(X *x, LL all) {
    LL found = LL_for(x, all.n);
    I size = 16;
    while (size < 2 * all.n) size *= 2;
    E *slots = memory(x, size * (I)sizeof(E));
    U *keys = memory(x, all.n * (I)sizeof(U));
    if (x->stop) return (LL){0};
    memset(slots, 0xff, (Z)size * sizeof(E));
    for (I i = 0; i < all.n; i++) {
        L one = all.p[i];
        U key = (U)one.n;
        for (I j = 0; j < one.n; j++) { U item = (U)one.p[j] * 0x9E3779B97F4A7C15ull; key += (item ^ item >> 29) * 0xBF58476D1CE4E5B9ull; }
        I slot = (I)(key >> 40) & (size - 1);
        while (slots[slot] >= 0 && (keys[slots[slot]] != key || !alike(found.p[slots[slot]], one))) slot = (slot + 1) & (size - 1);
        if (slots[slot] >= 0) continue;
        slots[slot] = (E)found.n;
        keys[found.n] = key;
        found.p[found.n++] = one;
    }
    return found;
}

/* ---- events ---- */

static void note(X *x, I value) { if (x->logged < x->log_size) x->log[x->logged++] = value; else x->stop = FULL; }
static void note_list(X *x, L xs) { note(x, xs.n); for (I i = 0; i < xs.n; i++) note(x, xs.p[i]); }
enum { E_MOVE, E_RULE, E_SHUFFLE, E_ROLL, E_LOTS, E_SCORE, E_SAY, E_RECEIVED, E_TURNED, E_TAKEN_BACK };

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
static inline void show_top(S *s, I i) { Pile *of = changing(s, i); if (of->n) of->p[of->n - 1] |= 1; }
static inline void settle_top(S *s, I i) { if (TOPS_UP && TOP_UP[i]) show_top(s, i); }
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
    if (x->log) tell(x, s, pieces, sources, target);
    lay(x, s, pieces.p, pieces.n, target);
}
/* All pieces lie where they begin. */
static void all_home(S *s) {
    const E *from = BEGIN;
    for (I i = 0; i < PILES; i++) {
        Pile *home = PILE(s, i);
        home->n = BEGIN_N[i];
        memcpy(home->p, from, (Z)home->n * sizeof(E));
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
            E came[CAP];
            I m = 0;
            for (I at = i; at < n; at += SEATS) came[m++] = pack->p[pack->n - 1 - at];
            lay(x, s, came, m, base + (first + SEATS + i) % SEATS * columns);
        }
        pack->n -= n;
        settle_top(s, source);
        for (I i = 0; i < SEATS; i++) settle_top(s, base + i * columns);
        return;
    }
    E came[SEATS][CAP];
    I n[SEATS];
    memset(n, 0, sizeof n);
    for (I c = 0; c < count && pack->n; c++)
        for (I i = 0; i < SEATS && pack->n; i++) came[i][n[i]++] = pack->p[--pack->n];
    E from = (E)source;
    for (I i = 0; i < SEATS; i++) bring(x, s, (L){came[i], n[i], 0}, (L){&from, 1, 0}, base + (first + SEATS + i) % SEATS * columns);
    settle_top(s, source);
    for (I i = 0; i < SEATS; i++) settle_top(s, base + i * columns);
}
static void move_top(X *x, S *s, I source, I count, I target, I packet) {
    Pile *from = changing(s, source);
    I size = count < 0 || count > from->n ? from->n : count;
    if (source == target || size <= 0) return;
    if (size == 1 && !x->log) {
        I piece = from->p[--from->n];
        put(x, s, target, arrive(piece, target));
        fits(x, s, target);
        settle_top(s, source);
        settle_top(s, target);
        return;
    }
    E taken[CAP], whence = (E)source;
    for (I i = 0; i < size; i++) taken[i] = from->p[packet ? from->n - size + i : from->n - 1 - i];
    from->n -= size;
    bring(x, s, (L){taken, size, 0}, (L){&whence, 1, 0}, target);
    settle_top(s, source);
    settle_top(s, target);
}
static I take_out(S *s, I piece, L sources) {
    for (I n = 0; n < sources.n; n++) {
        Pile *from = PILE(s, sources.p[n]);
        for (I i = from->n - 1; i >= 0; i--)
            if (from->p[i] >> 1 == piece >> 1) { I found = from->p[i]; MARK(s, sources.p[n]); take_at(from, i); return found; }
    }
    return -1;
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
    for (I i = 0; i < sources.n; i++) settle_top(s, sources.p[i]);
    settle_top(s, target);
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

/* ---- chance: PCG32 seeded through SplitMix64, as in the language ---- */

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
static inline I below(Chance *c, I bound) {
    unsigned int b = (unsigned int)bound, found = next32(c);
    if (found < b) for (unsigned int least = -b % b; found < least;) found = next32(c);
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
    for (I at = of->n - 1; at > 0; at--) {
        I j = below(&s->chance, at + 1);
        E one = of->p[at];
        of->p[at] = of->p[j];
        of->p[j] = one;
    }
    if (x->log) { note(x, E_SHUFFLE); note(x, i); note_list(x, pile(s, i)); }
}
static void roll(X *x, S *s, I count, I source, I target) {
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
    if (x->log) { note(x, E_ROLL); note(x, target); note_list(x, (L){thrown, larger(count, 0), 0}); }
}
/* One of the items, or NOTHING_DRAWN. */
#define NOTHING_DRAWN (-9223372036854775807ll - 1)
static I lots(X *x, S *s, L items, I label) {
    if (stops_looking(x, s) || !items.n) return NOTHING_DRAWN;
    I found = items.p[below(&s->chance, items.n)];
    if (x->log) { note(x, E_LOTS); note(x, label); note(x, found); }
    return found;
}

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
    s->count = acts.n; s->actor = actor; s->pc = pc;
    return -1;
}
static inline const E *offered(const S *s, I number) { return s->acts[s->which[number]]; }
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
