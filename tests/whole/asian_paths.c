#include <stdint.h>
#include <math.h>
static uint64_t s[2];
static uint64_t next(void)
{
    uint64_t a = s[0], b = s[1];
    s[0] = b; a ^= a << 23; s[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
    return s[1] + b;
}
static double uniform(void) { return (next() >> 11) * (1.0 / 9007199254740992.0); }
void price_paths(int npaths, int nsteps, double s0, double r, double vol, double dt, uint64_t seed, double *payoff, double strike)
{
    for (int p = 0; p < npaths; p++) {
        s[0] = seed + p * 0x9E3779B97F4A7C15ull; s[1] = s[0] ^ 0xD1B54A32D192ED03ull;
        double x = s0, sum = 0;
        for (int k = 0; k < nsteps; k++) {
            double u1 = uniform(), u2 = uniform();
            double z = sqrt(-2.0 * log(u1 + 1e-300)) * cos(6.283185307179586 * u2);
            x *= exp((r - 0.5 * vol * vol) * dt + vol * sqrt(dt) * z);
            sum += x;
        }
        double avg = sum / nsteps;
        payoff[p] = avg > strike ? avg - strike : 0.0;
    }
}

#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int paths = argc > 1 ? atoi(argv[1]) : 1000;
    double *payoff = malloc(sizeof *payoff * paths), mean = 0;
    price_paths(paths, 50, 100.0, 0.03, 0.2, 1.0 / 50, 42, payoff, 100.0);
    for (int p = 0; p < paths; p++) mean += payoff[p] / paths;
    printf("%g\n", mean);
    free(payoff);
    return 0;
}
