// The step is a parameter, windows beside each other: a row is one window's, and i / win its number. want: parallel
#pragma regraph size(n=4000, win=25) size(n=70, win=8) extent(x: n) extent(m: n)
void windows(int n, int win, const float *x, float *m)
{
    for (int i = 0; i + win <= n; i += win) {
        float s = 0;
        for (int k = 0; k < win; k++) s += x[i + k];
        m[i / win] = s;
    }
}
