#include <math.h>
void ref_nbody(int n, const float *px, const float *py, const float *pz, const float *m, float *ax, float *ay, float *az)
{
    for (int i = 0; i < n; i++) {
        double x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            double dx = (double)px[j] - px[i], dy = (double)py[j] - py[i], dz = (double)pz[j] - pz[i], r2 = dx * dx + dy * dy + dz * dz + 0.01;
            double f = m[j] / (r2 * sqrt(r2));
            x += f * dx, y += f * dy, z += f * dz;
        }
        ax[i] = x, ay[i] = y, az[i] = z;
    }
}
