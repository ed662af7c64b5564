// want: sequential
/* Rows that are one element longer than they lie apart: each begins with what the one before has ended with. */
void filter(int channels, int taps, int most, const float *restrict in, float *restrict work)
{
#pragma regraph extent(in: channels) extent(work: channels*(taps + most - 1) + 1)
#pragma regraph size(channels=40, taps=9, most=64) size(channels=7, taps=3, most=33)
    for (int c = 0; c < channels; c++) {
        float *w = work + c * (taps - 1 + most);
        for (int i = 1; i < taps + most; i++) w[i] = w[i - 1] / (1.0f + w[i - 1] * w[i - 1]) + in[c];
    }
}
