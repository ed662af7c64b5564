void tree(int n, float *a)
{
    for (int s = 1; s < n; s *= 2)
        for (int i = 0; i + s < n; i += 2*s) a[i] += a[i+s];
}
