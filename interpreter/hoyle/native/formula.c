/* What comes after the functions of a formula: its values for what lies in some piles, many by one call. All else is as at the start. */

typedef struct { const E *pieces, *sizes; I size, pile; } Column;

PUBLIC I hoyle_context(void) { return sizeof(X); }
PUBLIC I hoyle_state(void) { return sizeof(S); }

/* The pieces that lie in piles this time; no piece may lie there more often than there are. Where there is one of each, and there are not
   many, each has a bit. */
#define ONE_BIT (ONE_EACH && KINDS <= 64)
typedef struct { U seen, again; I n[KINDS + 1]; } There;
static inline void count_from_none(There *there) {
    there->seen = there->again = 0;
    if (!ONE_BIT) memset(there->n, 0, sizeof there->n);
}
static inline void count_one(There *there, I kind) {
    U bit = ONE_BIT ? 1ull << kind : ++there->n[kind] > COPIES[kind];
    there->again |= ONE_BIT ? there->seen & bit : bit;
    there->seen |= bit;
}

/* Puts what lies in a pile this time, and goes on to the next; returns whether it is something that can. */
static I laid(S *s, Column *column, There *there) {
    Pile *to = PILE(s, column->pile);
    const E *from = column->pieces;
    I n = column->sizes ? *column->sizes++ : column->size;
    if ((U)n > CAP) return 0;
    for (I i = 0; i < n; i++) {
        E piece = from[i];
        if ((unsigned int)piece >= 2 * KINDS) return 0;
        to->p[i] = piece;
        count_one(there, piece >> 1);
    }
    to->n = n;
    column->pieces = from + n;
    return !there->again;
}
/* Returns how many values were found before one that could not be. */
PUBLIC I hoyle_values(X *x, S *s, I n, Column *columns, I width, I *values) {
    memset(s, 0, sizeof *s);
    for (I i = 0; i <= PILES; i++) s->P[i].none = -1;
    for (I i = 0; i < CELLS; i++) s->C[i] = FIRST[i];
    x->stop = GOING; x->looked = 0; x->log = 0;
    for (I i = 0; i < n; i++) {
        There there;
        give_back(x, 0);
        count_from_none(&there);
        for (I c = 0; c < width; c++) if (!laid(s, columns + c, &there)) return i;
        values[i] = formula(x, s);
        if (x->stop) return i;
    }
    return n;
}
