// says: table.c:7:
// says: the index is 5, and that dimension has 5 elements
static const float weight[5] = {1, 2, 3, 4, 5}, other[4] = {1, 1, 1, 1};
#pragma regraph size(n=1000) input(k: uniform(0, 5))
static float look(int k)
{
    return weight[k] + other[k & 3];
}
void weigh(int n, const int *k, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = k[i] < 5 ? x[i] * look(k[i]) : x[i] - look(k[i]);
}
