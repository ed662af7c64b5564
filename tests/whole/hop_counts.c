/*
 * hop_counts - distance in hops from one router to all others.
 *
 * The topology comes as adjacency in CSR form. Classic level synchronous
 * sweep, no queue: the networks we look at are shallow (20 hops at most).
 */
#include <stdio.h>
#include <stdlib.h>

#define UNREACHED 255

typedef unsigned char hops_t;

struct topology {
    int     routers;
    int     links;
    int    *first;      /* routers + 1 entries */
    int    *peer;       /* links entries       */
};

typedef struct {
    int reached;
    int farthest;
} summary_t;

static int sweep(const struct topology *net, int level, hops_t *hops)
{
    int r, k, touched = 0;

    for (r = 0; r < net->routers; ++r) {
        if (hops[r] != level)
            continue;
        for (k = net->first[r]; k < net->first[r + 1]; ++k) {
            int other = net->peer[k];
            if (hops[other] == UNREACHED) {
                hops[other] = 200;
                touched = 1;
            }
        }
    }
    return touched;
}

/* marks everything that is next to the core (level 0) */
int mark_rim(const struct topology *net, hops_t *hops, int *reached)
{
    int i, any = sweep(net, 0, hops), sum = 0;

    for (i = 0; i < net->routers; i++)
        if (hops[i] != UNREACHED)
            sum++;
    *reached = sum;
    return any;
}

void hop_counts(const struct topology *net, int from, int *hops, int *farthest)
{
    int level, grown, i;

    for (i = 0; i < net->routers; i++)
        hops[i] = -1;
    hops[from] = 0;

    level = 0;
    do {
        grown = 0;
        for (i = 0; i < net->routers; i++) {
            int k;
            if (hops[i] == level) {
                for (k = net->first[i]; k < net->first[i + 1]; k++) {
                    int *h = &hops[net->peer[k]];
                    if (*h == -1) {
                        *h = level + 1;
                        ++grown;
                    }
                }
            }
        }
        ++level;
    } while (grown != 0);
    *farthest = level - 1;
}

int main(void)
{
    enum { N = 4096, DEG = 6 };
    struct topology t = { N, N * DEG, malloc((N + 1) * sizeof(int)), malloc(N * DEG * sizeof(int)) };
    int *hops = malloc(N * sizeof *hops), far, i;

    srand(7);
    for (i = 0; i <= N; i++) t.first[i] = i * DEG;
    for (i = 0; i < N * DEG; i++) t.peer[i] = rand() % N;
    hop_counts(&t, 0, hops, &far);
    printf("%d\n", far);
    return 0;
}
