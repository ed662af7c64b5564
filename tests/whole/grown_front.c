/* A front that grows into a melt: phase p and temperature T, both explicit. begin() once, then grow() as often as one
 * likes; K is the latent heat. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int N;
static float latent, cell;
static float *p, *pn, *T, *Tn;

#define AT(i, j) ((i) * N + (j))

void begin(int n, float K)
{
    N = n;
    latent = K;
    cell = 64.0f / n;
    p = malloc(n * n * sizeof *p);
    pn = malloc(n * n * sizeof *pn);
    T = malloc(n * n * sizeof *T);
    Tn = malloc(n * n * sizeof *Tn);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float x = i - 0.5f * n, y = j - 0.5f * n;
            p[AT(i, j)] = pn[AT(i, j)] = x * x + y * y < 20.0f ? 1.0f : 0.0f;
            T[AT(i, j)] = Tn[AT(i, j)] = 0.0f;
        }
}

float grow(int steps)
{
    const float dt = 0.05f;
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                float lp = p[AT(i + 1, j)] + p[AT(i - 1, j)] + p[AT(i, j + 1)] + p[AT(i, j - 1)] - 4 * p[AT(i, j)];
                float lt = T[AT(i + 1, j)] + T[AT(i - 1, j)] + T[AT(i, j + 1)] + T[AT(i, j - 1)] - 4 * T[AT(i, j)];
                float m = 0.9f / 3.14159265f * atanf(10.0f * (1.0f - T[AT(i, j)]));
                float f = p[AT(i, j)] * (1 - p[AT(i, j)]) * (p[AT(i, j)] - 0.5f + m);
                pn[AT(i, j)] = p[AT(i, j)] + dt * (f + cell * lp);
                Tn[AT(i, j)] = T[AT(i, j)] + dt * lt + latent * (pn[AT(i, j)] - p[AT(i, j)]);
            }
        float *q = p;
        p = pn;
        pn = q;
        q = T;
        T = Tn;
        Tn = q;
    }
    float sum = 0;
    for (int i = 0; i < N * N; i++) sum += p[i];
    return sum;
}

int main(void)
{
    begin(64, 1.6f);
    printf("%f\n", grow(20));
    return 0;
}
