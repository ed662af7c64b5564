/* Random walks, each with a generator of its own that keeps a second number, and sums for a few limits over all. */
#include <math.h>
#include <stdint.h>

enum { MOST = 16 };

typedef struct Source {
    uint64_t state;
    double kept;
    int has_kept;
} Source;

typedef struct Extremes {
    double low, high, last;
} Extremes;

static double next(Source *s)
{
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return (double)(s->state >> 11) / 9007199254740992.0;
}

static double step(Source *s)
{
    double u, v;

    if (s->has_kept) {
        s->has_kept = 0;
        return s->kept;
    }
    u = next(s);
    v = next(s);
    s->kept = u - v;
    s->has_kept = 1;
    return u + v - 1.0;
}

static void take(Extremes *e, double x)
{
    if (x < e->low) e->low = x;
    if (x > e->high) e->high = x;
    e->last = x;
}

typedef struct Limit {
    int kind;
    double at;
} Limit;

typedef double (*Reach)(const Extremes *, const Limit *);

static double above_it(const Extremes *e, const Limit *l) { return e->high > l->at ? e->high - l->at : 0.0; }
static double below_it(const Extremes *e, const Limit *l) { return e->low < -l->at ? -l->at - e->low : 0.0; }
static double ends_there(const Extremes *e, const Limit *l)
{
    if (e->high >= 4.0 * l->at) return 0.0;
    return e->last > l->at ? 1.0 : 0.0;
}

static const Reach reach_of[3] = { above_it, below_it, ends_there };

/* 0, or -1 for limits that make no sense. */
int walk_sums(int walks, int steps, int limits, const Limit *limit, double *above, double *square)
{
    double sum[MOST] = { 0 }, sum2[MOST] = { 0 };

    if (limits > MOST || walks < 2) return -1;
    for (int k = 0; k < limits; k++)
        if (limit[k].kind < 0 || limit[k].kind > 2) return -1;

    for (int w = 0; w < walks; w++) {
        Source s;
        Extremes e;
        double at = 0.0;

        s.state = 88172645463325252u + 7919u * (uint64_t)w;
        s.kept = 0.0;
        s.has_kept = 0;
        e.low = e.high = e.last = 0.0;
        for (int i = 0; i < steps; i++) {
            at += step(&s);
            take(&e, at);
        }
        for (int k = 0; k < limits; k++) {
            Reach reach = reach_of[limit[k].kind];
            double over = reach(&e, &limit[k]);

            sum[k] += over;
            sum2[k] += over * over;
        }
    }
    for (int k = 0; k < limits; k++) {
        above[k] = sum[k] / walks;
        square[k] = sum2[k] / walks;
    }
    return 0;
}
