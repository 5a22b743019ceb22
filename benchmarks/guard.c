/* Plays random games of a series, for whoever counts instructions: guard GAMES. The text of a game stands before this. */
static X context;
static S state;
int main(int count, char **given) {
    I games = 0;
    static I counts[COUNTS];
    for (const char *digit = given[1]; *digit; digit++) games = 10 * games + *digit - '0';
    I decisions = 0;
    for (I game = 0; game < games; game++) {
        if (hoyle_series(&context, &state, 1, (U)game, 1, 1000000, counts) != 1) return 1;
        decisions += counts[0];
    }
    return 0;
}
