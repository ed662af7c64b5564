// Pairs of structures in an array, over the shorter of the two rows behind them. want: parallel
struct vec { const float *v; int n; };
#pragma regraph size(n=12) size(n=7)
void elements_pairs(const struct vec *a, int n, float *g) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { int m = a[i].n < a[j].n ? a[i].n : a[j].n; float s = 0; for (int k = 0; k < m; k++) s += a[i].v[k] * a[j].v[k]; g[i * n + j] = s; } }
