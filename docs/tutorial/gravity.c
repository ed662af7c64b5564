#include <math.h>

/* The acceleration of n bodies by one another's gravity. */
void gravity(int n, float softening, const float *x, const float *y, const float *z, const float *mass,
             float *ax, float *ay, float *az)
{
    for (int i = 0; i < n; i++) {
        float sx = 0, sy = 0, sz = 0;
        for (int j = 0; j < n; j++) {
            float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            float d2 = dx * dx + dy * dy + dz * dz + softening;
            float f = mass[j] / (d2 * sqrtf(d2));
            sx += f * dx;
            sy += f * dy;
            sz += f * dz;
        }
        ax[i] = sx;
        ay[i] = sy;
        az[i] = sz;
    }
}
