// expect: memory is read as another type
#pragma regraph size(n=100)
static void take(const int a[8][8], int *y)
{
    for (int i = 0; i < 8; i++) y[i] = a[i][i];
}
void diagonals(int n, const float *x, int *y)
{
    for (int i = 0; i < n; i++) take((const int(*)[8])(x + 64 * i), y + 8 * i);
}
