#include <stdio.h>
#include <stdlib.h>
#define SWAP(T, a, b) do { T t_ = (a); (a) = (b); (b) = t_; } while (0)
#define STATES 16
/* Viterbi scores of many observation sequences. */
void viterbi(int nseq, int len, const int *obs, const float *trans, const float *emit, float *score)
{
    float bufa[STATES], bufb[STATES];
    float *v = bufa, *w = bufb;
    for (int q = 0; q < nseq; q++) {
        for (int s = 0; s < STATES; s++) v[s] = emit[s * 4 + obs[q * len]];
        for (int t = 1; t < len; t++) {
            int o = obs[q * len + t];
            for (int s = 0; s < STATES; s++) {
                float best = -1e30f;
                for (int p = 0; p < STATES; p++) {
                    float c = v[p] + trans[p * STATES + s];
                    if (c > best) best = c;
                }
                w[s] = best + emit[s * 4 + o];
            }
            SWAP(float *, v, w);
        }
        float best = v[0];
        for (int s = 1; s < STATES; s++)
            if (v[s] > best) best = v[s];
        score[q] = best;
    }
}
int main(void)
{
    int n = 2000, len = 60;
    int *obs = malloc(n * len * sizeof *obs);
    float tr[STATES * STATES], em[STATES * 4], *sc = malloc(n * sizeof *sc), sum = 0;
    for (int i = 0; i < n * len; i++) obs[i] = (i * 31 + i / 7) % 4;
    for (int i = 0; i < STATES * STATES; i++) tr[i] = -0.1f * (i % 13);
    for (int i = 0; i < STATES * 4; i++) em[i] = -0.2f * (i % 7);
    viterbi(n, len, obs, tr, em, sc);
    for (int i = 0; i < n; i++) sum += sc[i];
    printf("%f\n", sum);
    return 0;
}
