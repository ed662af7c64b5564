// Whether it is set anew hangs on what it is; two operators. want: sequential
// refused: scan.block@C : depends on what is carried in other ways
#pragma regraph size(n=6000) size(n=1) size(n=700) input(x: uniform(-50, 49)) input(start: uniform(0, 40))
int scan_resets_not(const int *x, const int *start, int n)
{
    int high = 0;
    for (int i = 0; i < n; i++) {
        high = high > 40 + start[i] ? x[i] : high;
        high = x[i] > high ? x[i] : high;
        high = start[i] == 3 && x[i] < high ? x[i] : high;
    }
    return high;
}
