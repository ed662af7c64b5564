#pragma regraph size(n=50) extent(x: n)
void g(int n, float *x)
{
    int i = 0;
again:
    if (i < n) {
        x[i] += 1.0f;
        i++;
        goto again;
    }
}
