// expect: no member of the same element says how long its rows are
// A step by fours reads behind n where n is no multiple of 4, and nothing there where it is.
struct line { int n; const float *at; };
void fours(int m, const struct line *a, float *out)
{
    for (int i = 0; i < m; i++) {
        float t = 0;
        for (int k = 0; k < a[i].n; k += 4) t += a[i].at[k] + a[i].at[k + 1] + a[i].at[k + 2] + a[i].at[k + 3];
        out[i] = t;
    }
}
