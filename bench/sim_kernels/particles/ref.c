#include <math.h>
/* x y z mass, velocity, heat */
void ref_particles(int n, float dt, const float *p, float *q)
{
    for (int i = 0; i < n; i++) {
        const float *a = p + 8 * i;
        float *b = q + 8 * i, r = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]) + 0.1f, f = a[3] * expf(-r) / r;
        b[4] = a[4] - dt * f * a[0], b[5] = a[5] - dt * f * a[1], b[6] = a[6] - dt * f * a[2];
        b[0] = a[0] + dt * b[4], b[1] = a[1] + dt * b[5], b[2] = a[2] + dt * b[6];
        b[3] = a[3], b[7] = a[7] * 0.99f + 0.01f * f;
    }
}
