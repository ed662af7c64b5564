// want: parallel
/* Stores that data lead: several to one place, of which the file's last one counts; under a condition, through a local, a field, backwards, rows at once, again and
 * again. */
#include <stddef.h>
struct cell { float mass, age; };
#pragma regraph size(n=900,m=70,T=3) size(n=33,m=7,T=2) input(at: uniform(0, m - 1)) extent(a: m) extent(b: m) extent(c: m) extent(r: m, 5) role(c: inout) role(a: inout) role(b: inout) role(r: inout)
void last_places(int n, int m, int T, const int *at, const float *x, float *a, float *b, struct cell *c, float r[][5])
{
    for (int i = 0; i < n; i++) a[at[i]] = 2.0f * x[i];
    for (int t = 0; t < T; t++)
        for (size_t i = 0; i < (size_t)n; i++) {
            int to = m - 1 - at[i];
            float v = 0;
            for (int k = 0; k < 4; k++) v += x[i] * (float)(k + t);
            if (x[i] > 0.1f && v < 0.9f)
                b[to] = v;
        }
    for (int i = n - 1; i >= 0; i--) c[at[i]].age = x[i] + 1.0f;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 5; k++) r[at[i]][k] = x[i] * (float)k;
}
