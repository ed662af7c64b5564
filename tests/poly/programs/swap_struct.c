/* a struct of two grids */
struct pair { float *cur, *next; };
#pragma regraph size(n=600, steps=16) extent(a: n, n) extent(b: n, n)
static void step(const float *in, float *out, int n)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            out[i * n + j] = 0.2f * (in[i * n + j] + in[(i - 1) * n + j] + in[(i + 1) * n + j] + in[i * n + j - 1] + in[i * n + j + 1]);
}
void diffuse(float *a, float *b, int n, int steps)
{
    struct pair g = {a, b};
    for (int t = 0; t < steps; t++) {
        step(g.cur, g.next, n);
        float *x = g.cur;
        g.cur = g.next;
        g.next = x;
    }
}
