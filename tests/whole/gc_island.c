/* Which stretch of a chromosome is richest in G and C? Each of these scores `plus`, any other letter costs `minus`;
   N cuts a stretch. The first of the stretches with the highest score wins. */
#include <stdio.h>
#include <stdlib.h>

struct island {
    size_t begin, end; /* end is behind the last letter */
    long score;
};

struct island richest(const char *dna, size_t letters, int plus, int minus)
{
    struct island top = {0, 0, 0};
    size_t begin = 0;
    long score = 0;
    for (size_t at = 0; at < letters; at++) {
        const char c = dna[at];
        const int gain = c == 'G' || c == 'C' ? plus : c == 'N' ? -1000000 : -minus;
        if (score < 0) {
            score = 0;
            begin = at;
        }
        score += gain;
        if (top.score < score) {
            top.score = score;
            top.begin = begin;
            top.end = at + 1;
        }
    }
    return top;
}

void report(const char *dna, size_t letters, int plus, int minus, size_t *begin, size_t *end, long *score)
{
    struct island i = richest(dna, letters, plus, minus);
    *begin = i.begin;
    *end = i.end;
    *score = i.score;
}

int main(void)
{
    size_t n = 100000, b, e;
    long s;
    char *d = malloc(n);
    for (size_t i = 0; i < n; i++) d[i] = "ACGTN"[rand() % 100 < 99 ? rand() % 4 : 4];
    report(d, n, 3, 4, &b, &e, &s);
    printf("%zu..%zu %ld\n", b, e, s);
    free(d);
    return 0;
}
