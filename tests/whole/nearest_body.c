/* The body that a probe meets first, found by a helper that keeps a pointer into the table, or none. */
#include <stddef.h>
#include <math.h>

typedef struct { float x, y, r, glow; } body;

static const body bodies[5] = {
    {1.0f, 1.0f, 0.6f, 3.0f}, {3.0f, 2.0f, 0.9f, 5.0f}, {5.5f, 4.0f, 0.5f, 7.0f}, {2.0f, 6.0f, 1.1f, 2.0f}, {7.0f, 7.0f, 0.4f, 9.0f}};

static float brightness(const body *b, float t)
{
    if (b == NULL) return -1.0f;
    return b->glow / (1.0f + t);
}

static float probe(float x, float slope)
{
    const body *hit = NULL;
    float far = 1e30f;
    for (int i = 0; i < 5; i++) {
        float d = fabsf(slope * (bodies[i].x - x) - bodies[i].y) / sqrtf(1.0f + slope * slope);
        if (d < bodies[i].r && bodies[i].x - x < far && bodies[i].x > x) {
            far = bodies[i].x - x;
            hit = &bodies[i];
        }
    }
    if (!hit)
        return slope;
    const body *same = hit;
    return brightness(same, far) + bodies[0].glow * (hit == NULL);
}

void scan_sky(int n, int m, float width, float *sky)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            sky[i * m + j] = probe(width * i / n, 4.0f * (j + 1) / m);
}

#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 64, m = 48;
    float *sky = malloc(sizeof(float) * n * m), sum = 0;
    scan_sky(n, m, 8.0f, sky);
    for (int i = 0; i < n * m; i++) sum += sky[i];
    printf("%g\n", sum);
    free(sky);
    return 0;
}
