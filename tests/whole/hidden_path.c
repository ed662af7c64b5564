#include <float.h>
/* log-space Viterbi */
void viterbi(int T, int S, const float *start, const float *trans, const float *emit, const int *obs, int M, int *path)
{
    float prev[S], cur[S];
    int back[T][S];
    for (int s = 0; s < S; s++) prev[s] = start[s] + emit[s * M + obs[0]];
    for (int t = 1; t < T; t++) {
        for (int s = 0; s < S; s++) {
            float best = -FLT_MAX;
            int arg = 0;
            for (int r = 0; r < S; r++) {
                float v = prev[r] + trans[r * S + s];
                if (v > best) { best = v; arg = r; }
            }
            cur[s] = best + emit[s * M + obs[t]];
            back[t][s] = arg;
        }
        for (int s = 0; s < S; s++) prev[s] = cur[s];
    }
    int s = 0;
    for (int r = 1; r < S; r++) if (prev[r] > prev[s]) s = r;
    for (int t = T - 1; t > 0; t--) { path[t] = s; s = back[t][s]; }
    path[0] = s;
}

#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    enum { STATES = 12, SYMBOLS = 6, STEPS = 40 };
    float start[STATES], *trans = malloc(sizeof *trans * STATES * STATES), *emit = malloc(sizeof *emit * STATES * SYMBOLS);
    int obs[STEPS], path[STEPS];
    for (int s = 0; s < STATES; s++) start[s] = -1.0f - 0.1f * s;
    for (int k = 0; k < STATES * STATES; k++) trans[k] = -0.5f - 0.01f * (k * 7 % 31);
    for (int k = 0; k < STATES * SYMBOLS; k++) emit[k] = -0.2f - 0.03f * (k * 5 % 17);
    for (int t = 0; t < STEPS; t++) obs[t] = t * t % SYMBOLS;
    viterbi(STEPS, STATES, start, trans, emit, obs, SYMBOLS, path);
    for (int t = 0; t < STEPS; t++) printf("%d ", path[t]);
    printf("\n");
    free(trans);
    free(emit);
    return 0;
}
