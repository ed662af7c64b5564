// What nothing is near to is infinitely far; a group without members has no mean. want: parallel
#pragma regraph size(n=4000, m=50, groups=70) size(n=30, m=3, groups=9) extent(x: n) extent(s: m) extent(far: n) extent(who: n) extent(of: n) extent(mean: groups)
#pragma regraph input(of: uniform(0, groups - 3))
#include <math.h>
void nearest_none(int n, int m, int groups, const float *x, const float *s, float reach, float *far, int *who, const int *of, double *mean)
{
    for (int i = 0; i < n; i++) {
        float best = INFINITY;
        int at = -1;
        for (int k = 0; k < m; k++) {
            float d = fabsf(x[i] - s[k]);
            if (d < reach * 0.02f && d < best) {
                best = d;
                at = k;
            }
        }
        far[i] = best;
        who[i] = at;
    }
    for (int g = 0; g < groups; g++) {
        double sum = 0;
        int members = 0;
        for (int i = 0; i < n; i++)
            if (of[i] == g) {
                sum += x[i];
                members++;
            }
        mean[g] = members ? sum / members : NAN;
    }
}
