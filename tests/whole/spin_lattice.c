#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define L 96

static signed char spin[L][L];
static unsigned long long rng[L][L];

static double rnd(unsigned long long *s)
{
    *s ^= *s << 13; *s ^= *s >> 7; *s ^= *s << 17;
    return (*s >> 11) * (1.0 / 9007199254740992.0);
}

void init_lattice(unsigned seed)
{
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) {
            rng[i][j] = 0x9E3779B97F4A7C15ULL * (seed + i * L + j + 1);
            spin[i][j] = rnd(&rng[i][j]) < 0.5 ? 1 : -1;
        }
}

double sweep(int sweeps, double beta)
{
    double w[9];
    for (int d = -4; d <= 4; d++) w[d + 4] = exp(-2.0 * beta * d);
    for (int s = 0; s < sweeps; s++)
        for (int color = 0; color < 2; color++)
            for (int i = 0; i < L; i++)
                for (int j = (i + color) % 2; j < L; j += 2) {
                    int nb = spin[(i + 1) % L][j] + spin[(i + L - 1) % L][j] + spin[i][(j + 1) % L] + spin[i][(j + L - 1) % L];
                    int dE = spin[i][j] * nb;
                    if (dE <= 0 || rnd(&rng[i][j]) < w[dE + 4])
                        spin[i][j] = -spin[i][j];
                }
    long m = 0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < L; j++) m += spin[i][j];
    return (double)m / (L * L);
}

int main(void)
{
    init_lattice(7);
    printf("m = %f\n", sweep(100, 0.4406868));
    return 0;
}
