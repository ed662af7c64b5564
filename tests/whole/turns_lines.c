#include <stdio.h>
#include <stdlib.h>
typedef struct { float e, h; } cell;
void march(int lines, int n, int steps, const float *src, float *energy)
{
    cell *old = malloc(n * sizeof(cell));
    cell *new = malloc(n * sizeof(cell));
    for (int l = 0; l < lines; l++) {
        for (int i = 0; i < n; i++) {
            old[i].e = src[l * n + i];
            old[i].h = 0;
        }
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < n; i++) {
                const cell *c = &old[i];
                float r = i + 1 < n ? old[i + 1].h : 0, q = i > 0 ? old[i - 1].e : 0;
                new[i].e = c->e + 0.3f * (r - c->h);
                new[i].h = c->h + 0.3f * (c->e - q);
            }
            cell *swap = old;
            old = new;
            new = swap;
        }
        float sum = 0;
        for (int i = 0; i < n; i++) sum += old[i].e * old[i].e + old[i].h * old[i].h;
        energy[l] = sum;
    }
    free(old);
    free(new);
}
int main(void)
{
    int L = 400, n = 128;
    float *s = malloc(L * n * sizeof *s), *e = malloc(L * sizeof *e), t = 0;
    for (int i = 0; i < L * n; i++) s[i] = (i % 77) * 0.01f;
    march(L, n, 25, s, e);
    for (int i = 0; i < L; i++) t += e[i];
    printf("%f\n", t);
    return 0;
}
