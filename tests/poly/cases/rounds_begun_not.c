// A place in a table that a condition begins anew: a second counter that does not start plainly. want: sequential
#pragma regraph size(n=1024, dir=1) size(n=8, dir=-1) size(n=2, dir=1) size(n=64,dir=-1) extent(x: n) extent(w: 2*n)
void from_place(int n, int dir, float *x, const float *w)
{
    for (int h = 1; h < n; h *= 2) {
        int s = n / (2 * h);
        int k = 0;
        if (dir < 0) k = n / 2;
        for (int j = 0; j < h; j++) {
            float c = w[k];
            for (int i = j; i < n; i += 2 * h) {
                float t = c * x[i + h];
                x[i + h] = x[i] - t;
                x[i] = x[i] + t;
            }
            k += s;
        }
    }
}
