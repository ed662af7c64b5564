// Behind the iteration that leaves nobody knows what the places are: these lead far out of the array. want: parallel
#pragma regraph size(n=2000, m=500) size(n=9, m=5) input(kind: uniform(0, 3)) input(kind_end: constant(0)) input(at: uniform(-900000000, 900000000)) extent(x: m)
int first_bad(int n, int m, const int *kind_end, const int *kind, const int *at, const float *x)
{
    for (int i = 0; i < n; i++) {
        if (kind_end[i] <= kind[i]) return n + m + kind[i] + i;
        if (x[at[i]] > 0.5f && x[at[i] + 1] > x[at[i]]) return -i;
    }
    return n + m;
}
