// The same by a loop, and what is left of the counts is the caller's. want: parallel
// chain: parallelize@C
#pragma regraph size(bins=300) size(bins=5) input(have: uniform(-2, 9))
#pragma regraph extent(at: 10 * bins)
int expand(short *have, int bins, short *at)
{
    int n = 0;
    for (int b = 0; b < bins; b++) {
        while (have[b] > 0) {
            at[n] = (short)(b - have[b]);
            n++;
            have[b] -= 1;
        }
    }
    return n;
}
