// function: activate
// function: morph
// function: falls
// function: codes
#include <math.h>
#include <stdbool.h>
enum act { RELU, LEAKY, SIGMOID };
#pragma regraph size(n=60)
void activate(const float *x, double *y, long n, enum act a)
{
    for (long i = 0; i < n; i++) {
        double v = x[i];
        switch (a) {
        case RELU: v = v > 0 ? v : 0; break;
        case LEAKY: { double k = 0.01; v = v > 0 ? v : k * v; break; }
        case SIGMOID: v = 1.0 / (1.0 + exp(-v)); break;
        }
        y[i] = v;
    }
}
// not(activate): opaque
// not(morph): a switch
#pragma regraph size(h=20, w=30)
void morph(int h, int w, const bool m[h][w], bool r[h][w], int op)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            bool v = op == 0;
            for (int d = -1; d <= 1; d++) {
                if (j + d < 0 || j + d >= w) continue;
                switch (op) {
                default: v = v || m[i][j + d]; break;
                case 0:
                case 3: v = v && m[i][j + d]; break;
                }
            }
            r[i][j] = v;
        }
}
#pragma regraph size(n=60)
void falls(const int *x, int *y, int n)
{
    for (int i = 0; i < n; i++) {
        int r = 0;
        switch (x[i] % 4) {
        case 0: r += 1; /* falls through */
        case 1: r += 2; break;
        case 2: if (r == 0) break; r = 7;
        default: r = 9;
        }
        y[i] = r;
    }
}
static int code(char c) { switch (c & 3) { case 0: return 5; case 1: return 6; default: return 7; } }
#pragma regraph size(n=60)
void codes(const char *s, unsigned *h, int n)
{
    for (int i = 0; i < n; i++) {
        switch (s[i] & 1) { case 1: continue; default: break; }
        h[i] = h[i] * 4u + (unsigned)code(s[i]);
    }
}
