#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct vec3 { float x, y, z; };
struct ray { struct vec3 origin, dir; };
struct sphere { struct vec3 center; float radius; struct vec3 color; float reflect; };
struct hit { float t; int index; struct vec3 point, normal; };

static struct vec3 v3(float x, float y, float z) { struct vec3 v = { x, y, z }; return v; }
static struct vec3 add(struct vec3 a, struct vec3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static struct vec3 sub(struct vec3 a, struct vec3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static struct vec3 mul(struct vec3 a, float s) { return v3(a.x * s, a.y * s, a.z * s); }
static float dot(struct vec3 a, struct vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static struct vec3 unit(struct vec3 a) { return mul(a, 1.0f / sqrtf(dot(a, a) + 1e-12f)); }

static bool hit_sphere(const struct sphere *s, const struct ray *r, float *t)
{
    struct vec3 oc = sub(r->origin, s->center);
    float b = dot(oc, r->dir), c = dot(oc, oc) - s->radius * s->radius;
    float disc = b * b - c;
    if (disc < 0) return false;
    float q = sqrtf(disc);
    float t0 = -b - q, t1 = -b + q;
    if (t0 > 1e-3f) { *t = t0; return true; }
    if (t1 > 1e-3f) { *t = t1; return true; }
    return false;
}

static bool trace(const struct sphere *scene, int n, const struct ray *r, struct hit *h)
{
    h->t = FLT_MAX;
    h->index = -1;
    for (int i = 0; i < n; i++) {
        float t;
        if (hit_sphere(&scene[i], r, &t) && t < h->t) {
            h->t = t;
            h->index = i;
        }
    }
    if (h->index < 0) return false;
    h->point = add(r->origin, mul(r->dir, h->t));
    h->normal = unit(sub(h->point, scene[h->index].center));
    return true;
}

static struct vec3 shade(const struct sphere *scene, int n, struct ray r, struct vec3 light, int bounces)
{
    struct vec3 color = { 0, 0, 0 };
    float weight = 1.0f;
    for (int b = 0; b < bounces; b++) {
        struct hit h;
        if (!trace(scene, n, &r, &h)) {
            color = add(color, mul(v3(0.2f, 0.3f, 0.5f), weight));
            break;
        }
        struct vec3 to_light = unit(sub(light, h.point));
        float diffuse = dot(h.normal, to_light);
        if (diffuse < 0) diffuse = 0;
        const struct sphere *s = &scene[h.index];
        color = add(color, mul(s->color, weight * (1 - s->reflect) * diffuse));
        weight *= s->reflect;
        if (weight < 0.01f) break;
        r.origin = h.point;
        r.dir = sub(r.dir, mul(h.normal, 2 * dot(r.dir, h.normal)));
    }
    return color;
}

void render(const struct sphere *scene, int n_spheres, struct vec3 *image, int width, int height, struct vec3 light)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            struct ray r;
            r.origin = v3(0, 0, -3);
            r.dir = unit(v3((x - width / 2) / (float)width, (y - height / 2) / (float)width, 1));
            image[y * width + x] = shade(scene, n_spheres, r, light, 4);
        }
    }
}

int main(void)
{
    struct sphere scene[3] = {
        { { 0, 0, 3 }, 1, { 1, 0, 0 }, 0.3f },
        { { 2, 0, 4 }, 1, { 0, 1, 0 }, 0.2f },
        { { -2, 0, 4 }, 1, { 0, 0, 1 }, 0.4f },
    };
    struct vec3 *img = malloc(320 * 200 * sizeof *img);
    render(scene, 3, img, 320, 200, v3(5, 5, -5));
    printf("%f\n", img[100 * 320 + 160].x);
    free(img);
    return 0;
}
