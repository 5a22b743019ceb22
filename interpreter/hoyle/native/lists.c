/* Lists in the arena. */

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
/* Four numbers at once, wherever they lie. */
typedef E Four __attribute__((vector_size(16), aligned(4), may_alias));
static inline I how_often(L xs, I item) {
    Four fours = {0}, wanted = {(E)item, (E)item, (E)item, (E)item};
    I found = 0, i = 0;
    if (item != (E)item) return 0;
    for (; i + 4 <= xs.n; i += 4) fours -= *(const Four *)(xs.p + i) == wanted;
    for (; i < xs.n; i++) found += xs.p[i] == item;
    return found + fours[0] + fours[1] + fours[2] + fours[3];
}
/* A list that began as the number 0 has, after each item, this item with so much added. No list has room for 32 such steps: small numbers stay small. */
static inline void grow_by(X *x, L *to, I more) {
    I n = to->n;
    if (more < -(1 << 26) || more > 1 << 26) { x->stop = FULL; return; }
    if (!L_room(x, to, n)) return;
    E *from = to->p, one = (E)more;
    Four four = {one, one, one, one};
    if (n == 1) *(Four *)from = (Four){from[0], from[0] + one, 0, 0};
    else if (n == 2) *(Four *)from = (Four){from[0], from[1], from[0] + one, from[1] + one};
    else for (I i = 0; i < n; i += 4) *(Four *)(from + n + i) = *(const Four *)(from + i) + four;
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
/* The less of two numbers of 32 bits, of which NO_NUMBER is more than any. */
static inline I lesser(I a, I b) { return (U)b - (U)(NO_NUMBER + 1) < (U)a - (U)(NO_NUMBER + 1) ? b : a; }
static inline I over(I a, I b) { I q = a / b; return q * b != a && (a < 0) != (b < 0) ? q - 1 : q; }
/* The same by a positive number, without a branch; the compiler knows which number it is. */
static inline I over_positive(I a, I b) { return (a - (-(I)(a < 0) & (b - 1))) / b; }
static inline I mod_positive(I a, I b) { I r = a % b; return r + (-(I)(r < 0) & b); }
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

