// A step of two parameters by a name of its own, from another place on, whose counter is asked for behind. want: parallel
#pragma regraph size(n=5000, a=2, b=3, first=7) size(n=90, a=4, b=1, first=0) extent(x: n)
int every(int n, int a, int b, int first, float *x)
{
    int stride = a * b, i;
    if (first < 0) return -1;
    for (i = first; i < n; i += stride) x[i] += 1;
    return i;
}
