/* Packs a scan line: runs of equal pixels become pairs; and what each run weighs. */
#include <stdio.h>
#include <stdlib.h>

typedef unsigned short pixel;

size_t pack_line(size_t len, const pixel *line, const float *weight, pixel *value, unsigned *count, float *mass)
{
    size_t runs = 0, at = 0;

    while (at < len) {
        const pixel here = line[at];
        size_t past = at + 1;
        float m = weight[at];
        while (past < len && line[past] == here) {
            m += weight[past];
            past++;
        }
        value[runs] = here;
        count[runs] = (unsigned)(past - at);
        mass[runs] = m;
        runs++;
        at = past;
    }
    return runs;
}

int main(void)
{
    enum { N = 30000 };
    pixel *line = malloc(N * sizeof *line), *value = malloc(N * sizeof *value);
    float *w = malloc(N * sizeof *w), *m = malloc(N * sizeof *m);
    unsigned *count = malloc(N * sizeof *count);
    for (int i = 0; i < N; i++) line[i] = (pixel)(rand() % 20 ? (i ? line[i - 1] : 0) : rand() % 100), w[i] = 1.0f;
    printf("%zu\n", pack_line(N, line, w, value, count, m));
    return 0;
}
