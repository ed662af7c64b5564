// want: parallel
/* Intervals that must not overlap, in order, by a loop that goes backwards. */
struct span { long from, to; double gain; };
#pragma regraph size(m=50,n=20000) size(m=3,n=70) size(m=2,n=1) extent(s: m)
int gains(unsigned m, const struct span *s, int n, const double *at, double *out)
{
    for (unsigned i = m - 1; i > 0; i--) {
        long begins = s[i].from;
        if (begins < s[i - 1].to) return 1;
    }
    for (int k = 0; k < n; k++) {
        double sum = 0;
        for (unsigned j = 0; j < m; j++)
            if (50 * at[k] >= s[j].from && 50 * at[k] < s[j].to) sum += s[j].gain;
        out[k] = sum;
    }
    return 0;
}
