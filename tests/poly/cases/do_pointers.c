// Rows of a pointer that walks on, by do loops: up to an end, and back down over what they filled. want: parallel
#pragma regraph size(n=500, m=64) size(n=3, m=1) size(n=1, m=5) extent(x: n * m) extent(y: n) extent(w: m)
void largest(int n, int m, const float *x, float *y, float *w)
{
    for (int r = 0; r < n; r++) {
        float *p = w, most = 0;
        do
            *p++ = *x++ * 2;
        while (p < w + m);
        do {
            float v = *--p;
            if (v < 0) v = -v;
            if (v > most) most = v;
        } while (p > w);
        y[r] = most;
    }
}
