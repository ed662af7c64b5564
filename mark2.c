void mark(int n, int m, const int *key, const float *w, float *flag, int *any)
{
    *any = 0;
    for (int i = 0; i < m; i++) flag[i] = 0.0f;
    for (int i = 0; i < n; i++) {
        if (w[i] > 0.5f) { flag[key[i]] = 1.0f; *any = 1; }
    }
}
