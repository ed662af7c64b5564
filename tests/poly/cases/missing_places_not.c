// want: parallel
/* Elements that look as if they could be missing, but lead on all the same: behind the test, once more after it, from the next place. */
#pragma regraph extent(x: n)
void missing_places_not(int n, const int *a, const int *b, const int *c, const float *x, float *y)
{
    for (int i = 0; i + 1 < n; i++) {
        float s = 0;
        if (a[i] >= 0) s = 1;
        s += x[a[i]];
        int k = b[i];
        if (k >= 0) s += x[k];
        k = b[i + 1];
        s += x[k];
        y[i] = s;
        if (c[i] < 0 && s > 0) y[i] = 0;
        y[i] += x[c[i]];
    }
}
