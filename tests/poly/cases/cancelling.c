// Sums that cancel, beside an integer: any order of theirs is as far off as the sequential one. want: parallel
// chain: parallelize,reduce.block
// shows: acc
#pragma regraph size(n=90) size(n=7)
void cancelling(int n, const double x[n][n], double y[n], int count[1])
{
    int positive = 0;
    for (int r = 0; r < n; r++) {
        double s = 0;
        for (int i = 0; i < n; i++) s += 1e7 * x[r][i];
        for (int i = 0; i < n; i++) s -= 1e7 * x[r][n - 1 - i];
        y[r] = s;
        positive += x[r][0] > 0;
    }
    count[0] = positive;
}
