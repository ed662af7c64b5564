// A search for a run that is longer than random values hold: some inputs have stretches of one value. want: parallel
// chain: reduce.block@loop:i_2
#pragma regraph size(n=20000, threshold=1000, run=28) size(n=700, threshold=1000, run=17) input(adc: uniform(-2000, 2000))
long search_burst(const short *adc, long n, short threshold, int run)
{
    if (run <= 0) return 0;
    for (long i = 0; i + run <= n; i++) {
        int ok = 1;
        for (int k = 0; k < run; k++) {
            short v = adc[i + k];
            if (v <= threshold && v >= -threshold) {
                ok = 0;
                break;
            }
        }
        if (ok) return i;
    }
    return -1;
}
