/* A helper that returns what it assigns; where the place depends on what is assigned, it stays as it is. */
// function: draw
// function: shuffle
#include <stdint.h>
static inline uint32_t xorshift(uint32_t *s)
{
    uint32_t x = *s;
    x ^= x << 13; x ^= x >> 17; x ^= x << 5;
    return *s = x;
}
static float rounded(float *to, double v) { return *to = v; }
#pragma regraph size(n=200)
void draw(int n, uint32_t *state, float *x, float *y)
{
    for (int i = 0; i < n; i++) x[i] = (xorshift(&state[i]) >> 8) * (1.0f / 16777216.0f);
    for (int i = 0; i < n; i++) {
        double v = rounded(&y[i], x[i] * 0.1);
        x[i] += v;
    }
}
// not(draw): opaque
static int through(int *at, int i) { return at[at[i] & 3] = i; }
#pragma regraph size(n=200) extent(at: 300) input(at: uniform(0, 3))
void shuffle(int n, int *at, float *x)
{
    for (int i = 0; i < n; i++) x[i] += through(at, i + 4);
}
