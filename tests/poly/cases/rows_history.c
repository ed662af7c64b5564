// want: parallel
// chain: parallelize@C
// shows: blockIdx
/* Rows as long as what was before a block and the block: taps + most - 1, of which the block, no longer than most,
 * fills what it needs. Each channel goes by its own. */
void filter(int channels, int taps, int most, int n, const float *restrict in, float *restrict out,
            float *restrict work, float *restrict level)
{
#pragma regraph extent(in: channels*most) extent(out: channels*most) extent(level: channels)
#pragma regraph extent(work: channels*(taps + most - 1))
#pragma regraph size(channels=40, taps=9, most=64, n=50) size(channels=7, taps=3, most=33, n=47)
    if (n > most) n = most;
    for (int c = 0; c < channels; c++) {
        float *w = work + c * (taps - 1 + most);
        float e = level[c];
        for (int i = 0; i < n; i++) {
            float x = in[c * n + i];
            e += 0.25f * (x - e);
            w[taps - 1 + i] = x * e;
            out[c * n + i] = 0.5f * e + w[i];
        }
        level[c] = e;
    }
}
