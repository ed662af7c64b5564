// What follows the last word counts as one without letters: it is counted, too. want: parallel
#pragma regraph size(n=5000) size(n=67) size(n=2) size(n=1)
int words_empty(const char *s, int n, int *empty)
{
    int i = 0, rounds = 0, none = 0;
    while (i < n) {
        int letters = 0;
        while (i < n && s[i] == ' ') i++;
        while (i < n && s[i] != ' ') {
            letters++;
            i++;
        }
        rounds++;
        if (letters == 0) none++;
    }
    empty[0] = none;
    return rounds;
}
