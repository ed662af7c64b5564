/* Macros as GNU C has them. */
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
#define MIN(a, b) ({ __auto_type _a = (a); __auto_type _b = (b); _a < _b ? _a : _b; })
#define SWAP(x, y) do { typeof(x) t_ = x; x = y; y = t_; } while (0)
void clampy(int n, const float *a, const int *k, float *out, int *hi)
{
    for (int i = 0; i < n; i++) {
        float lo = MIN(a[i], 0.25f), up = MAX(MAX(a[i], a[n - 1 - i]), 0.1f);
        if (k[i] & 1) SWAP(lo, up);
        out[i] = k[i] > 3 ? MAX(lo, up) - 1 : MIN(lo, 2.0f * up);
        hi[i] = MAX(k[i], MIN(k[n - 1 - i], 7));
    }
}
