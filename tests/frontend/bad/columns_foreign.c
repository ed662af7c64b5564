// expect: no member of the same element says how long its rows are
struct list { int *at, n; };
#pragma regraph size(n=10) extent(sum: n)
/* how long a row is, another element says */
void f(const struct list *l, int n, int *sum)
{
    for (int i = 1; i < n; i++)
        for (int k = 0; k < l[i - 1].n; k++) sum[i] += l[i].at[k];
}
