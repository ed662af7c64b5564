// want: parallel
/* Places that may be missing: -1 in rows that end early, in parents, in one of two children; each is asked before it leads on. */
void missing_places(int n, int width, const int *col, const float *val, const float *x, const int *parent,
                    const int (*near)[8], const int *left, const int *right, float *y, float *z)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = 0; k < width; k++) {
            int c = col[i * width + k];
            if (c < 0) break;
            s += val[i * width + k] * x[c];
        }
        y[i] = parent[i] == -1 ? s : s + x[parent[i]];
    }
    for (int i = 0; i < n; i++) {
        float s = 0;
        int k = 0, c;
        while (k < 8 && (c = near[i][k]) >= 0) {
            s += x[c];
            k++;
        }
        int l = left[i], r = right[i];
        if (l != -1) s += x[l];
        if (r > -1 && x[r] > 0) s -= x[r];
        z[i] = s;
    }
}
