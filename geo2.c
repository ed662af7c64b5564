float tree(int n, float *a)
{
    for (int s = n/2; s > 0; s >>= 1)
        for (int i = 0; i < s; i++) a[i] = a[i] > a[i+s] ? a[i] : a[i+s];
    return a[0];
}
