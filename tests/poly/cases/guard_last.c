// want: parallel
/* The iteration that is last at its place is one: what the file itself asks for. */
#pragma regraph size(n=700,m=90) size(n=33,m=7) input(at: uniform(0, m - 1))
void guard_last(int n, int m, const int *at, const float *x, int last[m], float y[m])
{
    for (int k = 0; k < m; k++) last[k] = -1;
    for (int i = 0; i < n; i++)
        if (last[at[i]] < i) last[at[i]] = i;
    for (int i = 0; i < n; i++)
        if (last[at[i]] == i) y[at[i]] = 0.5f * y[at[i]] + x[i];
}
