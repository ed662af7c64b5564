// Beside such continues the loop is left, as its data say, and carries what they skip. want: sequential
#pragma regraph size(n=700) size(n=7) size(n=1) extent(x: n) extent(y: n) input(x: uniform(-9,300))
int deep_continue_left(const int *x, int *y, int n)
{
    int run = 1;
    for (int i = 0; i < n; i++) {
        if (x[i] > 3) {
            if (x[i] % 5 == 0) {
                run = run * 3 % 1009;
                continue;
            }
            if (run == 17) break;
            run += x[i];
        }
        y[i] = run;
        if (run % 64 == 5) break;
    }
    return run;
}
