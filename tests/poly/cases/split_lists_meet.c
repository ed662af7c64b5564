// Two lists in one array that run into one another: the later store wins, as in the C. want: parallel
#pragma regraph size(n=500, gap=40) size(n=33, gap=2) size(n=2, gap=1) extent(out: n + gap)
void meet(const int *in, int *out, int n, int gap)
{
    int lo = 0, hi = gap;
    for (int i = 0; i < n; i++) {
        if (in[i] & 1)
            out[lo++] = in[i];
        else
            out[hi++] = in[i];
    }
}
