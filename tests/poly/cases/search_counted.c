// A helper that searches and returns, and a count of the rows in which it found something. want: parallel
#pragma regraph size(words=2000, entries=1000) size(words=50, entries=40) input(word: uniform(0, 3000)) input(dict: uniform(0, 3000))
static int lookup(const int *d, int n, int w)
{
    int i = 0;
    while (i < n) {
        if (d[i] == w) return 1;
        i++;
    }
    return 0;
}
int hits(int words, int entries, const int *word, const int *dict, int *found)
{
    int h = 0;
    for (int k = 0; k < words; k++) {
        found[k] = lookup(dict, entries, word[k]);
        if (found[k]) h++;
    }
    return h;
}
