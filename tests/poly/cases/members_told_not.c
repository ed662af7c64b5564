// Where the loop runs not once, no element is named: there need not be one. want: sequential
#pragma regraph size(n=60, m=70) size(n=3, m=5) size(n=1, m=1) extent(x: n*m) extent(key: n) extent(out: n)
typedef struct {
    double sum, most;
} tally;
double members_told_not(int n, int m, const double *restrict x, const int *restrict key, tally *restrict out)
{
    double last = 0;
    for (int i = 0; i < n; i++) {
        int at = key[i] > 0 ? i : -1000000, count = at < 0 ? 0 : m;
        for (int j = 0; j < count; j++) {
            out[at].sum += x[i * m + j];
            out[at].most = out[at].most > x[i * m + j] ? out[at].most : x[i * m + j];
            last = last * x[i * m + j] + out[at].sum;
        }
    }
    return last;
}
