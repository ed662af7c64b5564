// A flag that is 0, as -1 is the largest number beside one without a sign. want: parallel
#pragma regraph size(n=40) size(n=7) extent(x: n) extent(y: n)
int flag_of_other_sign(const int *x, int *y, int n)
{
    int bad = -1 < 0u;
    int s = 0;
    for (int i = 0; i < n; i++) y[i] = x[i] / 2;
    for (int i = 0; bad && i < n; i++) s += x[i] % 11;
    return s;
}
