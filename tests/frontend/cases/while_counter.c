#pragma regraph size(n=64)
void pw(int n, const float *x, float *y)
{
    int i = 0;
    while (i < n) {
        y[i] = x[i] * x[i];
        i++;
    }
    i = n;
    do {
        i--;
        y[i] += 1;
    } while (i > 0);
}
