// function: advance
// function: views
// function: nested
#include <stddef.h>
#include <math.h>
typedef struct { double x, y, z; } vec3;
typedef struct { vec3 pos, vel; double mass; int alive; } particle;
typedef struct { double dt; vec3 g; int wrap; } params;
static vec3 add(vec3 a, vec3 b) { vec3 r = {a.x + b.x, a.y + b.y, a.z + b.z}; return r; }
static vec3 scale(vec3 a, double s) { return (vec3){a.x * s, a.y * s, a.z * s}; }
static vec3 flip(vec3 a) { return (vec3){.z = -a.z, .x = a.x, .y = a.y}; }
#pragma regraph size(n=40)
void advance(particle *p, int n, params pr)
{
    for (int i = 0; i < n; i++) {
        if (!p[i].alive) continue;
        p[i].vel = add(p[i].vel, scale(pr.g, pr.dt));
        p[i].pos = add(p[i].pos, scale(flip(p[i].vel), pr.dt));
        if (pr.wrap && p[i].pos.x > 1.0) p[i].pos.x -= 1.0;
    }
}
// explain(advance): pr.wrap
struct view { int rows, cols, ld; };
static inline size_t at(struct view v, int r, int c) { return (size_t)r * v.ld + c; }
#pragma regraph size(va.cols=12, vc.rows=9, vc.cols=10, va.ld=14, vb.ld=15, vc.ld=16)
void views(struct view va, const float *A, struct view vb, const float *B, struct view vc, float *C, float alpha)
{
    for (int i = 0; i < vc.rows; i++)
        for (int j = 0; j < vc.cols; j++) {
            float s = 0;
            for (int k = 0; k < va.cols; k++) s += A[at(va, i, k)] * B[at(vb, k, j)];
            C[at(vc, i, j)] += alpha * s;
        }
}
struct opt { float lr, b1; int t; };
#pragma regraph size(n=40, o.t=3)
void nested(const struct opt *o, float *w, const float *g, float *m, size_t n)
{
    const float c = 1 - powf(o->b1, (float)o->t);
    for (size_t i = 0; i < n; i++) {
        m[i] = o->b1 * m[i] + (1 - o->b1) * g[i];
        w[i] -= o->lr * m[i] / c;
    }
}
