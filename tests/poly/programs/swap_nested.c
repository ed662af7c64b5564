/* three exchanges in each of the outer steps */
#pragma regraph size(n=20000, outer=3) extent(u: n) extent(v: n) extent(o: n)
void nested(int n, int outer, float *u, float *v, float *o)
{
    float *a = u, *b = v;
    for (int k = 0; k < outer; k++) {
        for (int t = 1; t <= 3; t++) {
            for (int i = 1; i < n - 1; i++) b[i] = 0.5f * (a[i - 1] + a[i + 1]) + t;
            float *x = a; a = b; b = x;
        }
        for (int i = 0; i < n; i++) a[i] *= 0.9f;
    }
    for (int i = 0; i < n; i++) o[i] = a[i];
}
