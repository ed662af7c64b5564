// A caller says how many columns there are: what else the row starts lead into has as many. want: parallel
// chain: reduce.block@loop:u_3
// shows: part2_all
#include <stddef.h>
#include <stdlib.h>
double shares(unsigned n, const size_t *off, const unsigned *adj, float *share)
{
    double all = 0;
    for (unsigned u = 0; u < n; u++) {
        size_t few = 0;
        for (size_t e = off[u]; e < off[u + 1]; e++) {
            unsigned long degree = off[adj[e] + 1] - off[adj[e]];
            share[e] = degree ? 1.0f / (float)degree : 0.0f;
            few += degree < 5;
        }
        all += (double)few;
    }
    return all;
}

int main(void)
{
    enum { N = 500, H = 3 };
    size_t *off = malloc(sizeof *off * (N + 1)), m = 0;
    unsigned *adj = malloc(sizeof *adj * N * (2 * H + 1));
    for (unsigned u = 0; u < N; u++) {
        off[u] = m;
        for (unsigned h = 1; h <= H; h++) adj[m++] = (u + h * h) % N;
    }
    off[N] = m;
    float *share = malloc(sizeof *share * m);
    double all = shares(N, off, adj, share);
    free(off);
    free(adj);
    free(share);
    return all < 0;
}
