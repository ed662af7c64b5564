// says: local_overrun.c:9:
// says: w[k] the index is 4, and that dimension has 4 elements
// says: make the array as long as it is used
#pragma regraph size(n=1000)
void filter(int n, const float *x, float *y)
{
    float w[4] = {1, 2, 3, 4}, s = 0;
    for (int k = 0; k <= 4; k++)
        s += w[k];
    for (int i = 0; i < n; i++) y[i] = s * x[i];
}
