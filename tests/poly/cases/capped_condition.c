// The loop goes on while there is room. want: parallel
// chain: scan.block
#pragma regraph size(n=3000, cap=100) size(n=300, cap=200) size(n=9, cap=1) input(a: uniform(0, 50))
int capped_condition(const int *a, int n, int *out, int cap)
{
    int m = 0;
    for (int i = 0; i < n && m < cap; i++)
        if (a[i] % 7 == 3)
            out[m++] = a[i];
    return m;
}
