/* cloth as masses and springs; positions in file-scope arrays that the viewer reads */
#include <math.h>
#include <stdlib.h>

typedef struct { float x, y, z; } vec3;

static vec3 *pos, *vel, *acc;
static int W, H;
static float rest = 0.1f, stiffness = 50.0f, mass = 0.1f;

static vec3 spring(vec3 a, vec3 b, float length)
{
    vec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
    float l = sqrtf(d.x * d.x + d.y * d.y + d.z * d.z) + 1e-9f;
    float f = stiffness * (l - length) / l;
    vec3 r = {f * d.x, f * d.y, f * d.z};
    return r;
}

static void add(vec3 *a, vec3 b)
{
    a->x += b.x;
    a->y += b.y;
    a->z += b.z;
}

static void forces(void)
{
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++) {
            vec3 f = {0.0f, -9.81f * mass, 0.0f}, p = pos[j * W + i];
            if (i > 0) add(&f, spring(p, pos[j * W + i - 1], rest));
            if (i < W - 1) add(&f, spring(p, pos[j * W + i + 1], rest));
            if (j > 0) add(&f, spring(p, pos[(j - 1) * W + i], rest));
            if (j < H - 1) add(&f, spring(p, pos[(j + 1) * W + i], rest));
            acc[j * W + i].x = f.x / mass;
            acc[j * W + i].y = f.y / mass;
            acc[j * W + i].z = f.z / mass;
        }
}

static void integrate(float dt)
{
    for (int k = W; k < W * H; k++) { /* the first row hangs */
        vel[k].x = 0.99f * (vel[k].x + dt * acc[k].x);
        vel[k].y = 0.99f * (vel[k].y + dt * acc[k].y);
        vel[k].z = 0.99f * (vel[k].z + dt * acc[k].z);
        pos[k].x += dt * vel[k].x;
        pos[k].y += dt * vel[k].y;
        pos[k].z += dt * vel[k].z;
    }
}

void cloth_run(int width, int height, int steps, vec3 *out)
{
    W = width;
    H = height;
    pos = malloc(W * H * sizeof(vec3));
    vel = malloc(W * H * sizeof(vec3));
    acc = malloc(W * H * sizeof(vec3));
    for (int j = 0; j < H; j++)
        for (int i = 0; i < W; i++) {
            vec3 p = {i * rest, -j * rest * 0.5f, 0.02f * ((i + j) % 3)}, zero = {0, 0, 0};
            pos[j * W + i] = p;
            vel[j * W + i] = zero;
        }
    for (int s = 0; s < steps; s++) {
        forces();
        integrate(0.001f);
    }
    for (int k = 0; k < W * H; k++) out[k] = pos[k];
    free(pos);
    free(vel);
    free(acc);
}
