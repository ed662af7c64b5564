// The length of the run itself is what counts, and letters between keep the word as it is: no window is long enough. want: parallel
// chain: parallelize@C
// lacks: word_2
#pragma regraph size(n=3000) size(n=70) extent(text: n) extent(count: 256) extent(runs: 64) input(text: uniform(0, 5))
void rolled_codes_not(int n, const int *text, unsigned *count, unsigned *runs)
{
    unsigned word = 0;
    int length = 0;
    for (int k = 0; k < 256; k++) count[k] = 0;
    for (int k = 0; k < 64; k++) runs[k] = 0;
    for (int i = 0; i < n; i++) {
        if (text[i] == 5) continue;
        if (text[i] == 4) {
            runs[length & 63]++;
            length = 0;
            word = 0;
        } else {
            word = (word << 2 | (unsigned)text[i]) & 255;
            if (++length >= 4) count[word]++;
        }
    }
}
