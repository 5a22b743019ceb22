/* What a player who searches looks for: information-set Monte Carlo tree search (P. Cowling, E. Powley, D. Whitehouse, "Information Set Monte
   Carlo Tree Search", IEEE TCIAIG 4(2), 2012) with one tree: a world for each iteration, and how often an action could have been chosen
   where another was. `players/tree.py` is the same in Python, draw for draw. */

enum { PATH = 256, EDGES = 4 * PATH + CREDITS, PICKING = 2, FUTURE = 3, GREATEST = 4 };

/* ---- what a game comes to ---- */

static void leads(X *x, S *s, double *to) {
    double total = 0;
    for (I p = 0; p < SIDES; p++) total += to[p] = (double)standing(x, s, p);
    for (I p = 0; p < SIDES && SIDES > 1; p++) to[p] -= (total - to[p]) / (SIDES > 1 ? SIDES - 1 : 1);
}
/* Is a deal over: were pieces shuffled or cut, and does somebody stand otherwise than at the beginning? */
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
    Edge *path[EDGES];
    U nodes[PATH], future;
    I sides[EDGES], n = 0, seen = 0, done = 0, further = 1, first = 0, back = 0;
    double to[SIDES], won[SIDES], gained[SIDES];
    Choices made;
    made.n = 0;
    set_out(x, s, h, number);
    future = s->chance.state;
    for (; further && seen < h->deep && n < EDGES - CREDITS && done < h->most && !x->stop && !s->over && !settled(x, s, h); done++) {
        Trial choice;
        choice.number = 0;
        if (s->count > 1) {
            U node = sight(s, h->me);
            for (I i = 0; i < seen; i++) back |= nodes[i] == node;
            if (SIDES == 1 && seen) back |= was_seen(h, node);
            if (back) break;
            choose(h, s, node, done ? -1 : h->only, &pick, &choice);
            if (!done) {
                first = choice.number;
                if (h->only < 0 && SIDES > 1) {  /* what is begun with for the nth time meets what every other beginning meets then */
                    number = h->begun[choice.began]++;
                    set_out(x, s, h, number);
                    pick = stream(h->seed, (U)number, PICKING);
                }
            }
            further = choice.edge && choice.edge->tried > 0;
            nodes[seen++] = node;
            if (choice.edge) { sides[n] = SIDE_OF[s->actor]; path[n++] = choice.edge; }
            for (I i = 0; choice.edge && i < choice.parts; i++) { sides[n] = SIDE_OF[s->actor]; path[n++] = choice.part[i]; }
        }
        make(x, s, choice.number, &made);
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
