// expect: no member of the same element says how long its rows are
struct list { int *at, n; };
#pragma regraph size(n=10) extent(sum: n)
/* the number of elements may be that of an earlier one */
void f(const struct list *l, int n, int *sum)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) m = l[i].n;
        for (int k = 0; k < m; k++) sum[i] += l[i].at[k];
    }
}
