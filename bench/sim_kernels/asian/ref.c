#include <math.h>
/* payoff of an average-price option over 64 steps, n paths, normal numbers from pairs of xorshift numbers */
void ref_asian(int n, const int *seed, float *y)
{
    for (int i = 0; i < n; i++) {
        unsigned s = seed[i] * 2654435761u;
        double p = 100, sum = 0;
        for (int t = 0; t < 64; t++) {
            s ^= s << 13; s ^= s >> 17; s ^= s << 5;
            double u = ((s >> 8) + 0.5) / 16777216;
            s ^= s << 13; s ^= s >> 17; s ^= s << 5;
            double v = (s >> 8) / 16777216.0;
            double z = sqrt(-2 * log(u)) * cos(2 * 3.14159265358979323846 * v);
            p *= exp(0.0001 + 0.025 * z);
            sum += p;
        }
        y[i] = sum / 64 > 80 ? sum / 64 - 80 : 0;
    }
}
