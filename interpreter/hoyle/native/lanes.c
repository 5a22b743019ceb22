/* Many games side by side, for programs that learn: each lane has a state, in which one game of a series is played after another. A state stays where it
   is, so that nothing is copied from one decision to the next; what is told of the lanes stands in arrays, a number or a row for each.

   A lane whose game is over when it begins, or cannot begin, offers nothing: at the next step it is told so, whatever was chosen. */

typedef struct {
    S *states;
    U *index;           /* which game of the series is played */
    I *decided;         /* so many decisions of it were made */
    Chance *pick;       /* of who chooses at random */
    I *results;         /* of the game that has just ended: scores of the sides, then whether each wins; else 0 */
    I *length;          /* so many decisions it had; else 0 */
    int *count;         /* so many actions there are to choose from */
    signed char *actor; /* who chooses; nobody -1 */
    unsigned char *over, *cut; /* has a game just ended by its rules; was it left */
    double *lead, *gained; /* of each side: by how much it is ahead of the others; how much more since the decision before. 0: that is not asked for */
    U seed, stride;
    I most;             /* decisions after which a game is left */
} Lanes;

static void show_lane(Lanes *l, I i) {
    l->count[i] = (int)l->states[i].count;
    l->actor[i] = (signed char)(l->states[i].count ? l->states[i].actor : -1);
}
static void begin_lane(X *x, Lanes *l, I i) {
    S *s = l->states + i;
    clear(x, 0, 0);
    fresh(s, stream(l->seed, l->index[i], 0));
    l->pick[i] = stream(l->seed, l->index[i], 1);
    l->decided[i] = 0;
    advance(x, s, ENTRY);
    if (x->stop) { s->over = 0; s->count = 0; }
    else if (l->lead) leads(x, s, l->lead + i * SIDES);
    show_lane(l, i);
}
/* The lane's next game, each `stride` after the one before. */
static void next_lane(X *x, Lanes *l, I i) {
    l->length[i] = l->decided[i];
    l->index[i] += l->stride;
    begin_lane(x, l, i);
}
/* Nothing has come of a lane in which no action was made. */
static void rest_lane(Lanes *l, I i) {
    l->over[i] = 0; l->cut[i] = 0; l->length[i] = 0;
    memset(l->results + i * 2 * SIDES, 0, 2 * SIDES * sizeof(I));
    if (l->gained) for (I p = 0; p < SIDES; p++) l->gained[i * SIDES + p] = 0;
}
static void gain_in_lane(X *x, Lanes *l, I i) {
    double *lead = l->lead + i * SIDES, *gained = l->gained + i * SIDES, now[SIDES];
    leads(x, l->states + i, now);
    for (I p = 0; p < SIDES; p++) { gained[p] = now[p] - lead[p]; lead[p] = now[p]; }
}
/* Who looks on at the end of a game is told before the next begins: see `coding.c`. */
static void look_at_end(X *x, Lanes *l, const void *coding, I i);
/* What came of the game as it stands. A game that the engine has no room for, or whose rules are at fault, is left without a result. */
static void settle_lane(X *x, Lanes *l, I i, const void *coding) {
    S *s = l->states + i;
    I *to = l->results + i * 2 * SIDES, goes = !x->stop && s->count;
    rest_lane(l, i);
    if (l->lead && (goes || (!x->stop && s->over))) gain_in_lane(x, l, i);
    if (goes && l->decided[i] < l->most) { show_lane(l, i); return; }
    if (goes || (!x->stop && s->over)) ended_with(x, s, to);
    if (x->stop) rest_lane(l, i);
    l->over[i] = !x->stop && s->over;
    l->cut[i] = !l->over[i];
    if (coding) look_at_end(x, l, coding, i);
    next_lane(x, l, i);
}
static void step_lane(X *x, Lanes *l, I i, I number, const void *coding) {
    clear(x, 0, 0);
    if (l->count[i]) { act(x, l->states + i, number); l->decided[i]++; }
    settle_lane(x, l, i, coding);
}
static I picked_in_lane(Lanes *l, I i) { return l->count[i] > 1 ? below(l->pick + i, l->count[i]) : 0; }

/* All of these do what they do for lanes from … to - 1. */
PUBLIC I hoyle_lanes(void) { return sizeof(Lanes); }
PUBLIC I hoyle_lanes_begin(X *x, Lanes *l, I from, I to) {
    for (I i = from; i < to; i++) begin_lane(x, l, i);
    return 0;
}
/* The actions that are chosen, by their numbers among those offered. */
PUBLIC I hoyle_lanes_step(X *x, Lanes *l, I from, I to, const I *numbers) {
    for (I i = from; i < to; i++) step_lane(x, l, i, numbers[i], 0);
    return 0;
}
/* Numbers at random, from the stream that a random game has for its choices. */
PUBLIC I hoyle_lanes_pick(X *x, Lanes *l, I from, I to, I *numbers) {
    (void)x;
    for (I i = from; i < to; i++) numbers[i] = picked_in_lane(l, i);
    return 0;
}
/* So many steps at random. `totals` has 3 + 2 * SIDES numbers for each lane: decisions, games that ended, games that were left; then of those that ended
   the sums of the scores, and how many each side won. */
PUBLIC I hoyle_lanes_play(X *x, Lanes *l, I from, I to, I steps, I *totals) {
    for (I i = from; i < to; i++) {
        I *own = totals + i * (3 + 2 * SIDES), *results = l->results + i * 2 * SIDES;
        memset(own, 0, (3 + 2 * SIDES) * sizeof(I));
        for (I k = 0; k < steps; k++) {
            own[0] += l->count[i] > 0;
            step_lane(x, l, i, picked_in_lane(l, i), 0);
            own[1] += l->over[i]; own[2] += l->cut[i];
            if (l->over[i]) for (I p = 0; p < 2 * SIDES; p++) own[3 + p] += results[p];
        }
    }
    return 0;
}
