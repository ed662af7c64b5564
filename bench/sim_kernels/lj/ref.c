#include <math.h>
/* forces and energies of a softened Lennard-Jones fluid in a periodic box; p: x, y, z, size; the list of i holds k distances j - i, cyclic */
void ref_lj(int n, int k, float box, const float *p, const int *nb, float *f)
{
    for (int i = 0; i < n; i++) {
        float fx = 0, fy = 0, fz = 0, e = 0;
        for (int m = 0; m < k; m++) {
            int j = i + nb[i * k + m];
            if (j < 0) j += n;
            if (j >= n) j -= n;
            if (j == i) continue;
            float dx = p[4 * i] - p[4 * j], dy = p[4 * i + 1] - p[4 * j + 1], dz = p[4 * i + 2] - p[4 * j + 2];
            dx -= box * rint(dx / box);
            dy -= box * rint(dy / box);
            dz -= box * rint(dz / box);
            float r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 6.25f) {
                float s = 1 / (r2 + 0.5f), s3 = s * s * s, q = p[4 * i + 3] + p[4 * j + 3];
                float g = q * 48 * s3 * (s3 - 0.5f) * s;
                fx += g * dx;
                fy += g * dy;
                fz += g * dz;
                e += q * 2 * s3 * (s3 - 1);
            }
        }
        f[4 * i] = fx;
        f[4 * i + 1] = fy;
        f[4 * i + 2] = fz;
        f[4 * i + 3] = e;
    }
}
