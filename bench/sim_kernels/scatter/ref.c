void ref_scatter(int n, int bins, const int *key, const float *v, float *s)
{
    for (int b = 0; b < bins; b++) s[b] = 0;
    for (int i = 0; i < n; i++) s[key[i]] += v[i];
}
