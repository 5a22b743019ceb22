/* The tree of a player who searches (`ismcts.c`). A node is what the searching seat sees; so different orders of play that look the same share one. Only
   the edges out of nodes are kept: one for each action that whoever acts can tell from others, and one for each part of an action where several are
   chosen together. `players/tree.py` and `players/parts.py` are the same in Python. */

#define LINE 1024
/* What is known of an action at a node, or of a part of several: how often it was tried and could have been, and what that came to. */
typedef struct { U key; I tried, there; double sum, squares; } Edge;
enum { FEW = 16, ARMS = 96, STEPS = 64, ITEMS = 8192 };
static const U DONE = 1;
/* An action that is left: its number, what of it is no part of its list, the parts, how many, and which of them were chosen. */
typedef struct { I number, n; U rest, taken; const U *items; } Way;
typedef struct { U part; I first; } Arm;
typedef struct { U key, part; I open; } Step;  /* what was chosen where; was there a choice? */
typedef struct { I left, arms; Way ways[ACTS]; Arm arm[ARMS]; Edge *edges[ARMS]; U items[ITEMS]; } Parting;
/* What games after an action at the beginning came to for who searches: how many there were and how many were over; of those that were the sum of its
   shares of the win, of all the sum of what it gained on the others, and of the squares of both. */
typedef struct { double games, over, won, wons, gained, gains; } Outcome;
/* What one search has: worlds as rows of numbers, one after the other, and where each begins; who searches; for how long a game is followed, in
   the tree and beyond; the table of edges and how full it is; for numbers up to `known` the root of the logarithm and what the root goes into once;
   where each side stands, and by how much that usually changes; the action at the beginning that alone is to be tried, -1 if any may be; how many games
   began with each; whether only standings count, and not who wins. Of a patience also what was
   seen at earlier decisions, in order, and, if nothing is hidden in it, the choices of the game that came to most. */
typedef struct {
    const I *rows, *at;
    I worlds, me, deep, most, score, room, used, only;
    U seed;
    Edge *edges;
    const double *worth, *rare;
    I known;
    double keen, scale, lead[SIDES];
    Outcome outcomes[ACTS];
    I begun[ACTS];
    const U *before;
    I before_n, open, line_n;
    double promised;
    E line[LINE];
    Parting parting;  /* too large for the stack of a thread */
} Hunt;

static inline U with(U a, U b) { return mixed(a ^ (b + 0x632BE59BD9B4E019ull + (a << 6))); }

/* ---- what is seen ---- */

static inline I shown(E piece, I pile, I top, I seat) {
    return HANDS[pile] == seat || ((piece & 1) && (top || !TOP_ONLY[pile]));
}
/* All that a seat sees, as one number. */
static U sight(S *s, I seat) {
    U found = with((U)s->pc, (U)(s->over ? -1 : s->actor));
    for (I i = 0; i < PILES; i++) {
        Pile *of = PILE(s, i);
        U own = (U)of->n;
        for (I at = 0; at < of->n; at++) {
            U piece = shown(of->p[at], i, at == of->n - 1, seat) ? (U)of->p[at] + 1 : 0;
            if (HEAP[i]) own += mixed(piece); else own = with(own, piece);
        }
        found = with(found, own);
    }
    for (I i = 0; i < STATE; i++)
        if (!SECRET[i] || SECRET[i] == seat + 2) found = with(found, (U)s->C[i]);
    return found;
}
static I is_held(S *s, I seat, E piece) {
    for (I i = 0; i < PILES; i++)
        if (HANDS[i] == seat) for (I at = 0; at < PILE(s, i)->n; at++) if (PILE(s, i)->p[at] == piece) return 1;
    return 0;
}
static inline U known(S *s, I seat, E piece) { return (piece & 1) || piece < 0 || is_held(s, seat, piece) ? (U)piece : (U)-2; }
/* An action as whoever makes it can tell it from others. */
static U told_apart(S *s, const E *a) {
    U found = (U)a[0];
    const I *of = BINDINGS + BINDINGS_AT[a[0]];
    for (; of[0] >= 0; of += 2) {
        const E *at = a + of[0];
        if (!(of[1] & 2)) { found = with(found, of[1] & 1 ? known(s, s->actor, *at) : (U)*at); continue; }
        found = with(found, (U)at[0]);
        for (I i = 1; i <= at[0]; i++) found = with(found, of[1] & 1 ? known(s, s->actor, at[i]) : (U)at[i]);
    }
    return found;
}

/* ---- the tree ---- */

/* The edge of this key; 0 if there is none and no room for another, or none is to be made. */
static Edge *edge(Hunt *h, U key, I make) {
    key |= 1;
    for (I slot = (I)(key >> 1) & (h->room - 1);; slot = (slot + 1) & (h->room - 1)) {
        Edge *found = h->edges + slot;
        if (found->key == key) return found;
        if (found->key) continue;
        if (!make || 4 * h->used >= 3 * h->room) return 0;
        h->used++;
        found->key = key;
        return found;
    }
}
static double promise(const Hunt *h, const Edge *e) {
    double worth = h->worth[e->there < h->known ? e->there : h->known];
    return e->sum / (double)e->tried + h->keen * worth * h->rare[e->tried < h->known ? e->tried : h->known];
}
/* The one to be tried of those that could be: any that never was, or the one that promises most. */
static I picked(const Hunt *h, Edge *const *of, I n, Chance *pick) {
    I fresh = 0, best = 0;
    for (I i = 0; i < n; i++) { of[i]->there++; fresh += !of[i]->tried; }
    if (fresh) {
        I nth = below(pick, fresh);
        while (of[best]->tried || nth--) best++;
    }
    else for (I i = 1; i < n; i++) if (promise(h, of[i]) > promise(h, of[best])) best = i;
    return best;
}
/* What was chosen: an action, where it parts from others (the first action with the part that was chosen first), the edge of the action, and those of
   its parts. No edge if there was no room. */
enum { CREDITS = 128 };
typedef struct { I number, began, parts; Edge *edge, *part[CREDITS]; } Trial;

/* ---- actions of several parts ---- */

/* Where many actions differ by what is chosen together (three cards of thirteen), it is chosen in the tree part by part, as long as more than one
   action is left; so what is found of one is known of all that have a part in common with it. The parts of a list have no order: at each step all that were
   still to be chosen are tried as well as the one that was. */

/* The first list of an action as parts; where `to` goes on, 0 if there is no room. An action without a list has none. */
static U *parted(S *s, I number, Way *way, U *to, U *end) {
    const E *a = offered(s, number);
    const I *of = BINDINGS + BINDINGS_AT[a[0]];
    way->number = number; way->n = 0; way->taken = 0; way->items = to; way->rest = with(3, (U)a[0]);
    I listed = 0;
    for (; of[0] >= 0; of += 2) {
        const E *at = a + of[0];
        I many = of[1] & 2 ? at[0] : 1, own = of[1] & 2 && !listed;
        listed |= of[1] & 2;
        if (own && (many >= STEPS || to + many > end)) return 0;
        if (own) way->n = many;
        for (I i = 0; i < many; i++) {
            E value = of[1] & 2 ? at[1 + i] : at[0];
            U told = of[1] & 1 ? known(s, s->actor, value) : (U)value;
            if (own) *to++ = with(2, told); else way->rest = with(way->rest, told);
        }
    }
    return to;
}
/* All actions as ways; 0 if they are few, none is of several parts, or there is no room. */
static I parts_of(S *s, Parting *p) {
    U *to = p->items;
    I several = 0;
    if (s->count <= FEW) return 0;
    p->left = s->count;
    for (I i = 0; i < s->count; i++) {
        to = parted(s, i, p->ways + i, to, p->items + ITEMS);
        if (!to) return 0;
        several |= p->ways[i].n > 1;
    }
    return several;
}
static inline I is_whole(const Way *w) { return w->taken == ((U)1 << w->n) - 1; }
/* A part that one of the ways left has; 0 if there are too many. */
static I add_arm(Parting *p, U part, I first) {
    for (I i = 0; i < p->arms; i++) if (p->arm[i].part == part) return 1;
    if (p->arms == ARMS) return 0;
    p->arm[p->arms++] = (Arm){part, first};
    return 1;
}
static I list_arms(Parting *p, I step) {
    I room = 1;
    p->arms = 0;
    for (I i = 0; i < p->left; i++) {
        const Way *w = p->ways + i;
        if (!step) room &= add_arm(p, w->rest, w->number);
        else if (is_whole(w)) room &= add_arm(p, DONE, w->number);
        else for (I k = 0; k < w->n; k++) if (!(w->taken >> k & 1)) room &= add_arm(p, w->items[k], w->number);
    }
    return room;
}
/* Does a way go on so? Then that part of it is taken. */
static I goes_on(Way *w, U part, I step) {
    if (!step) return w->rest == part;
    if (is_whole(w)) return part == DONE;
    for (I k = 0; k < w->n; k++) if (!(w->taken >> k & 1) && w->items[k] == part) { w->taken |= (U)1 << k; return 1; }
    return 0;
}
static void narrow(Parting *p, U part, I step) {
    I left = 0;
    for (I i = 0; i < p->left; i++) if (goes_on(p->ways + i, part, step)) p->ways[left++] = p->ways[i];
    p->left = left;
}
static void credit(Hunt *h, Trial *to, U key, U part) {
    Edge *found = edge(h, with(key, part), 0);
    for (I i = 0; i < to->parts; i++) if (to->part[i] == found) return;
    if (found && to->parts < CREDITS) to->part[to->parts++] = found;
}
/* The edges of what was chosen at each step, and of what might as well have been. */
static void credits(Hunt *h, Way *way, const Step *steps, I n, Trial *to) {
    way->taken = 0;
    for (I i = 0; i < n; i++) {
        if (steps[i].open) {
            credit(h, to, steps[i].key, steps[i].part);
            for (I k = 0; i && k < way->n; k++) if (!(way->taken >> k & 1)) credit(h, to, steps[i].key, way->items[k]);
        }
        goes_on(way, steps[i].part, i);
    }
}
/* The action to be tried, part by part; 0 if there is no room for that. */
static I choose_parts(Hunt *h, S *s, U node, Chance *pick, Trial *to) {
    Parting *p = &h->parting;
    Step steps[STEPS + 2];
    U key = with(node, DONE);
    I n = 0;
    if (!parts_of(s, p)) return 0;
    to->began = -1; to->parts = 0;
    for (; p->left > 1; n++) {
        I best = 0;
        if (!list_arms(p, n)) return 0;
        if (p->arms > 1) {
            for (I i = 0; i < p->arms; i++) if (!(p->edges[i] = edge(h, with(key, p->arm[i].part), 1))) return 0;
            best = picked(h, p->edges, p->arms, pick);
            if (to->began < 0) to->began = p->arm[best].first;
        }
        else if (p->arm[0].part == DONE) break;
        U part = p->arm[best].part;
        steps[n] = (Step){key, part, p->arms > 1};
        narrow(p, part, n);
        key += mixed(part);
    }
    to->number = p->ways->number;
    if (to->began < 0) to->began = to->number;
    to->edge = edge(h, with(node, told_apart(s, offered(s, to->number))), 1);
    credits(h, p->ways, steps, n, to);
    return 1;
}

/* The action to be tried from a node: the only one that may be, one that never was, or the one that promises most. */
static void choose(Hunt *h, S *s, U node, I only, Chance *pick, Trial *to) {
    Edge *found[ACTS];
    if (only < 0 && choose_parts(h, s, node, pick, to)) return;
    to->parts = 0;
    for (I i = 0; i < s->count; i++) {
        if (only >= 0 && i != only) continue;
        found[i] = edge(h, with(node, told_apart(s, offered(s, i))), 1);
        if (!found[i]) { to->edge = 0; to->number = to->began = only >= 0 ? only : below(pick, s->count); return; }
    }
    if (only >= 0) found[only]->there++;
    to->number = to->began = only >= 0 ? only : picked(h, found, s->count, pick);
    to->edge = found[to->number];
}
