// expect: rows behind pointers are compared, of which two may be the same one
struct list { const int *at; int n; };
#pragma regraph size(n=10)
void f(const struct list *l, int n, int *sum) {
    for (int i = 1; i < n; i++) { int s = 0; for (int k = 0; k < l[i].n; k++) s += l[i].at[k]; sum[i] = l[i].at == l[i - 1].at ? 0 : s; }
}
