/* What one thread needs beside states: an arena for lists, and what a search goes through. Freestanding, as all that follows: nothing from libc but
   memcpy, memmove and memset.

   Sizes (PILES, CAP, CELLS, STATE, SEATS, ACTS, WIDTH, …) and the struct S of a state are written before this file. */

typedef struct X X;

/* What a search is going through: the actions of one state, by turns. `search.c` tells what is asked of them. */
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
    I decided, shuffled;
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

