// Best paths of many sequences: scratch of one sequence, whose back pointers are followed from where the data say. want: parallel
#pragma regraph size(B=300, T=40, S=12, M=8) size(B=5, T=7, S=3, M=2)
#include <stdlib.h>
#include <string.h>
void decode(int B, int T, int S, int M, const float *A, const float *E, const float *start, const int *obs, int *path)
{
    float *d = malloc(S * sizeof *d), *next = malloc(S * sizeof *next);
    int *from = malloc((size_t)T * S * sizeof *from);
    for (int b = 0; b < B; b++) {
        const int *o = obs + b * T;
        for (int s = 0; s < S; s++) d[s] = start[s] + E[s * M + o[0]];
        for (int t = 1; t < T; t++) {
            for (int s = 0; s < S; s++) {
                float best = d[0] + A[s];
                int arg = 0;
                for (int r = 1; r < S; r++)
                    if (d[r] + A[r * S + s] > best) best = d[r] + A[r * S + s], arg = r;
                next[s] = best + E[s * M + o[t]];
                from[t * S + s] = arg;
            }
            memcpy(d, next, S * sizeof *d);
        }
        int at = 0;
        for (int s = 1; s < S; s++)
            if (d[s] > d[at]) at = s;
        for (int t = T - 1; t > 0; t--) {
            path[b * T + t] = at;
            at = from[t * S + at];
        }
        path[b * T] = at;
    }
    free(d);
    free(next);
    free(from);
}
