#include <math.h>

/* Gravitational accelerations, every body against every other */
typedef struct {
    float x, y, z, mass;
} body_t;

#define SOFTENING 1e-3f

#pragma regraph size(n=16384)
void nbody(int n, const body_t body[n], float ax[n], float ay[n], float az[n])
{
    for (int i = 0; i < n; i++) {
        float fx = 0.0f, fy = 0.0f, fz = 0.0f;
        for (int j = 0; j < n; j++) {
            float dx = body[j].x - body[i].x;
            float dy = body[j].y - body[i].y;
            float dz = body[j].z - body[i].z;
            float r2 = dx * dx + dy * dy + dz * dz + SOFTENING;
            float inv = 1.0f / sqrtf(r2);
            float s = body[j].mass * inv * inv * inv;
            fx += dx * s;
            fy += dy * s;
            fz += dz * s;
        }
        ax[i] = fx;
        ay[i] = fy;
        az[i] = fz;
    }
}
