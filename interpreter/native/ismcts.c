/* What a player who searches looks for: information-set Monte Carlo tree search (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte
   Carlo Tree Search", IEEE TCIAIG 4(2), 2012) with one tree: a world for each iteration, and how often an action could have been chosen
   where another was. `players/tree.py` is the same in Python, draw for draw.

   A node is what the searching seat sees; so different orders of play that look the same share one. Only the edges out of nodes are kept:
   one for each action that whoever acts can tell from others. */

#define LINE 1024
typedef struct { U key; I tried, there; double sum, squares; } Edge;
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
} Hunt;
enum { PATH = 256, PICKING = 2, FUTURE = 3, GREATEST = 4 };

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
/* The action to be tried from a node: the only one that may be, one that never was, or the one that promises most. 0 in `chosen` if the tree is full. */
static I choose(Hunt *h, S *s, U node, I only, Chance *pick, Edge **chosen) {
    Edge *found[ACTS];
    I fresh = 0, best = 0;
    for (I i = 0; i < s->count; i++) {
        found[i] = edge(h, with(node, told_apart(s, offered(s, i))), 1);
        if (!found[i]) { *chosen = 0; return only >= 0 ? only : below(pick, s->count); }
        found[i]->there++;
        fresh += !found[i]->tried;
    }
    if (only >= 0) best = only;
    else if (fresh) {
        I nth = below(pick, fresh);
        while (found[best]->tried || nth--) best++;
    }
    else for (I i = 1; i < s->count; i++) if (promise(h, found[i]) > promise(h, found[best])) best = i;
    *chosen = found[best];
    return best;
}

/* ---- what a game comes to ---- */

static void leads(X *x, S *s, double *to) {
    double total = 0;
    for (I p = 0; p < SIDES; p++) total += to[p] = (double)standing(x, s, p);
    for (I p = 0; p < SIDES && SIDES > 1; p++) to[p] -= (total - to[p]) / (SIDES > 1 ? SIDES - 1 : 1);
}
/* Is a deal over: were pieces shuffled, and does somebody stand otherwise than at the beginning? */
static I settled(X *x, S *s, Hunt *h) {
    double now[SIDES];
    if (!x->shuffled) return 0;
    leads(x, s, now);
    for (I p = 0; p < SIDES; p++) if (now[p] != h->lead[p]) return 1;
    return 0;
}
/* A change of lead as a part of the greatest that counts. */
static double gain(const Hunt *h, double change) {
    double found = change / (GREATEST * h->scale);
    return found < -1 ? -1 : found > 1 ? 1 : found;
}
/* Between 0 and 1 for each side: its share of the win, and by how much it is better off than before; only that if nobody has won yet or only
   standings count. And both as they are. */
static void rewards(X *x, S *s, Hunt *h, double *to, double *won, double *gained) {
    I counts[2 * SIDES], winners = 0;
    leads(x, s, gained);
    if (s->over) { ended_with(x, s, counts); for (I p = 0; p < SIDES; p++) winners += counts[SIDES + p]; }
    for (I p = 0; p < SIDES; p++) {
        double change = gained[p] -= h->lead[p], size = change < 0 ? -change : change;
        to[p] = 0.5 + 0.5 * (h->score ? gain(h, change) : change / (size + h->scale));
        won[p] = 0;
        if (!s->over) continue;  /* nobody has won */
        won[p] = winners ? (double)counts[SIDES + p] / (double)winners : SIDES > 1 ? 1.0 / SIDES : 0.0;
        if (!h->score) to[p] = 0.9 * won[p] + 0.1 * to[p];
    }
}
static void note_outcome(Outcome *o, I over, double won, double gained) {
    o->games++; o->over += (double)over;
    o->won += won; o->wons += won * won;
    o->gained += gained; o->gains += gained * gained;
}
static void set_out(X *x, S *s, Hunt *h, I number) {
    clear(x, 0, 0);
    hoyle_in(s, (I *)h->rows + h->at[number % h->worlds]);
    s->chance = stream(h->seed, (U)number, FUTURE);
    x->shuffled = 0;
}
/* What is chosen in one game, where there is a choice. */
typedef struct { I n; E of[LINE]; } Choices;
static void make(X *x, S *s, I number, Choices *made) {
    if (s->count > 1) made->of[made->n++] = (E)number;
    act(x, s, number);
}
static void at_random(X *x, S *s, Hunt *h, Chance *pick, I done, Choices *made) {
    for (; done < h->most && !x->stop && !s->over && !settled(x, s, h); done++) make(x, s, s->count > 1 ? below(pick, s->count) : 0, made);
}
/* Was this seen at an earlier decision of the game itself? */
static I was_seen(const Hunt *h, U node) {
    I low = 0, high = h->before_n;
    while (low < high) {
        I middle = (low + high) / 2;
        if (h->before[middle] < node) low = middle + 1; else high = middle;
    }
    return low < h->before_n && h->before[low] == node;
}
static void keep_line(Hunt *h, const Choices *made, double reward) {
    if (reward <= h->promised) return;
    h->promised = reward; h->line_n = made->n;
    memcpy(h->line, made->of, (Z)made->n * sizeof(E));
}
static void iterate(X *x, S *s, Hunt *h, I number) {
    Chance pick = stream(h->seed, (U)number, PICKING);
    Edge *path[PATH];
    U nodes[PATH], future;
    I sides[PATH], n = 0, done = 0, further = 1, first = 0, back = 0;
    double to[SIDES], won[SIDES], gained[SIDES];
    Choices made;
    made.n = 0;
    set_out(x, s, h, number);
    future = s->chance.state;
    for (; further && n < h->deep && done < h->most && !x->stop && !s->over && !settled(x, s, h); done++) {
        I chosen = 0;
        if (s->count > 1) {
            U node = sight(s, h->me);
            Edge *e;
            for (I i = 0; i < n; i++) back |= nodes[i] == node;
            if (SIDES == 1 && n) back |= was_seen(h, node);
            if (back) break;
            chosen = choose(h, s, node, done ? -1 : h->only, &pick, &e);
            if (!done) {
                first = chosen;
                if (h->only < 0 && SIDES > 1) {  /* what is begun with for the nth time meets what every other beginning meets then */
                    number = h->begun[first]++;
                    set_out(x, s, h, number);
                    pick = stream(h->seed, (U)number, PICKING);
                }
            }
            if (!e) further = 0;
            else {
                further = e->tried > 0;
                nodes[n] = node; sides[n] = SIDE_OF[s->actor]; path[n++] = e;
            }
        }
        make(x, s, chosen, &made);
    }
    if (back && SIDES == 1) to[0] = 0;  /* who plays alone gets nowhere by going back */
    else {
        at_random(x, s, h, &pick, done, &made);
        if (x->stop) return;
        rewards(x, s, h, to, won, gained);
        note_outcome(h->outcomes + first, s->over, won[SIDE_OF[h->me]], gained[SIDE_OF[h->me]]);
        if (SIDES == 1 && h->open && s->chance.state == future) keep_line(h, &made, to[0]);
    }
    for (I i = 0; i < n; i++) {
        double r = to[sides[i]];
        path[i]->tried++; path[i]->sum += r; path[i]->squares += r * r;
    }
}

/* ---- from outside ---- */

PUBLIC I hoyle_edge(void) { return sizeof(Edge); }
PUBLIC I hoyle_hunt(void) { return sizeof(Hunt); }
/* Begins a search: where everybody stands, and by how much that changes in so many random games. Returns how many games could not be played. */
PUBLIC I hoyle_set_out(X *x, S *s, Hunt *h, const I *rows, const I *at, I worlds, I me, U seed, const I *bounds, Edge *edges, I room, const double *worth, const double *rare, I known, double keen, const U *before, I before_n, I open) {
    double total = 0, now[SIDES];
    I failed = 0, probes = bounds[2];
    h->rows = rows; h->at = at; h->worlds = worlds; h->me = me; h->seed = seed;
    h->deep = bounds[0] < PATH ? bounds[0] : PATH; h->most = bounds[1] < LINE ? bounds[1] : LINE; h->score = bounds[3];
    h->before = before; h->before_n = before_n; h->open = open; h->line_n = 0; h->promised = -1;
    h->edges = edges; h->room = room; h->used = 0; h->worth = worth; h->rare = rare; h->known = known; h->keen = keen; h->scale = 1;
    set_out(x, s, h, 0);
    leads(x, s, h->lead);
    for (I i = 0; i < probes; i++) {
        Chance pick = stream(seed, (U)i, PICKING);
        Choices made;
        made.n = 0;
        set_out(x, s, h, i);
        at_random(x, s, h, &pick, 0, &made);
        if (x->stop) { failed++; continue; }
        leads(x, s, now);
        for (I p = 0; p < SIDES; p++) total += now[p] < h->lead[p] ? h->lead[p] - now[p] : now[p] - h->lead[p];
    }
    if (total > 0) h->scale = total / (double)((probes - failed) * SIDES);
    return failed;
}
/* Iterations first … first + n - 1, with `only` this action at the beginning, if it is not -1. Returns how many could not be played to their end. */
PUBLIC I hoyle_hunted(X *x, S *s, Hunt *h, I first, I n, I only) {
    I failed = 0;
    h->only = only;
    for (I i = 0; i < n; i++) {
        iterate(x, s, h, first + i);
        failed += x->stop != GOING;
    }
    return failed;
}
/* What was found of each action in a state: how often it was tried and could have been, the sum of its rewards and of their squares. */
PUBLIC I hoyle_found(X *x, S *s, Hunt *h, const I *row, double *to) {
    clear(x, 0, 0);
    hoyle_in(s, (I *)row);
    U node = sight(s, h->me);
    for (I i = 0; i < s->count; i++, to += 4) {
        Edge *e = edge(h, with(node, told_apart(s, offered(s, i))), 0);
        to[0] = e ? (double)e->tried : 0; to[1] = e ? (double)e->there : 0; to[2] = e ? e->sum : 0; to[3] = e ? e->squares : 0;
    }
    return s->count;
}
/* What games after each action at the beginning came to, as rows of numbers; of actions that whoever makes them cannot tell apart, after any of them. */
PUBLIC I hoyle_came(X *x, S *s, Hunt *h, double *to) {
    U keys[ACTS];
    set_out(x, s, h, 0);
    for (I i = 0; i < s->count; i++) keys[i] = told_apart(s, offered(s, i));
    for (I i = 0; i < s->count; i++, to += 6) {
        for (I k = 0; k < 6; k++) to[k] = 0;
        for (I j = 0; j < s->count; j++) {
            const double *row = (const double *)(h->outcomes + j);
            if (keys[i] == keys[j]) for (I k = 0; k < 6; k++) to[k] += row[k];
        }
    }
    return s->count;
}
/* What the seat sees at the beginning. */
PUBLIC U hoyle_here(X *x, S *s, Hunt *h) { set_out(x, s, h, 0); return sight(s, h->me); }
/* The choices of the game that came to most, if nothing was hidden from who plays alone, and what it came to. */
PUBLIC I hoyle_line(const Hunt *h, I *to, double *promised) {
    for (I i = 0; i < h->line_n; i++) to[i] = h->line[i];
    *promised = h->promised;
    return h->line_n;
}
