// want: parallel
/* Elements that look as if they could be missing, but lead on all the same: behind the test, once more after it, from the next place,
 * by a copy, past the head of a switch. */
#pragma regraph extent(x: n)
void missing_places_not(int n, const int *a, const int *b, const int *c, const int *d, const int *e, const float *x,
                        float *y)
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
        int p = d[i];
        if (p < 0) y[i] = 1;
        int q = p;
        y[i] += x[q];
        switch (i % 3) {
        case 0:
            if (e[i] < 0) break;
        case 1:
            y[i] += x[e[i]];
        }
    }
}
