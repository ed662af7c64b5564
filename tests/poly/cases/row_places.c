// Where in its text a word ends, as a difference of pointers into the row, in a chain that counts by word. want: parallel
// chain: parallelize@C
// shows: atomicAdd
// lacks: text \+ .* - \(
#pragma regraph size(n=300, docs.text.len=24) size(n=7, docs.text.len=3) extent(next: 64) extent(word: 64) extent(count: 16)
#pragma regraph input(next: uniform(0, 0)) input(word: uniform(0, 15))
struct doc { const char *text; int words, sum; };
void row_places(struct doc *docs, int n, const int *next, const int *word, unsigned *count)
{
    for (struct doc *d = docs; d < docs + n; d++) {
        int state = 0;
        d->words = d->sum = 0;
        if (!d->text) continue;
        for (const char *p = d->text; *p; p++) {
            state = (state * 3 + *p) & 63;
            for (int o = *p == 'c' ? state : next[state]; o; o = next[o]) {
                long end = p - d->text;
                count[word[o]]++;
                d->words++;
                if (end > 3 && p[1] == 'a') d->sum += (int)end;
            }
        }
    }
}
