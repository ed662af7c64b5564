// want: sequential
/* The same question, but of an array that the loop itself changes, and of another place than it stores to. */
#pragma regraph size(n=700,m=90) size(n=33,m=7) input(at: uniform(0, m - 1)) input(to: uniform(0, m - 1))
void guard_not_last(int n, int m, const int *at, const int *to, const float *x, int last[m], float y[m])
{
    for (int i = 0; i < n; i++)
        if (last[at[i]] == i) {
            y[to[i]] = 0.5f * y[to[i]] + x[i];
            last[to[i]] = i + 1;
        }
}
