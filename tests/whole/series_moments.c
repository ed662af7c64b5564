/* series_moments - mean, spread and shape of a measured series; readings that failed are NaN */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct shape {
    double mean, variance, skewness;
    float lowest, highest;
    long readings;
};

void describe(long n, const float *reading, struct shape *out)
{
    double sum = 0, second = 0, third = 0;
    float lowest = INFINITY, highest = -INFINITY;
    long used = 0;

    for (long i = 0; i < n; i++) {
        float r = reading[i];
        if (isnan(r))
            continue;
        sum += r;
        if (r < lowest)
            lowest = r;
        if (r > highest)
            highest = r;
        used++;
    }
    double mean = used > 0 ? sum / used : 0.0;
    for (long i = 0; i < n; i++) {
        if (isnan(reading[i]))
            continue;
        double off = reading[i] - mean;
        second += off * off;
        third += off * off * off;
    }
    out->readings = used;
    out->mean = mean;
    out->lowest = lowest;
    out->highest = highest;
    if (used < 2 || second == 0) {
        out->variance = out->skewness = 0;
        return;
    }
    out->variance = second / (used - 1);
    double per_reading = second / used;
    out->skewness = third / used / (per_reading * sqrt(per_reading));
}

int main(void)
{
    enum { N = 10000 };
    float *reading = malloc(N * sizeof *reading);
    struct shape s;
    if (!reading)
        return 1;
    for (int i = 0; i < N; i++)
        reading[i] = i % 97 == 0 ? NAN : (float)(i * 31 % 1000) / 100;
    describe(N, reading, &s);
    printf("%ld %g %g %g\n", s.readings, s.mean, s.variance, s.skewness);
    free(reading);
    return 0;
}
