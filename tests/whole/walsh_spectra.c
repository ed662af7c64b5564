/* walsh_spectra - sequency spectra of binary sequences, many of them, one behind the other in memory */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* length is a power of two */
void spectra(size_t sequences, size_t length, int *samples)
{
    int *seq = samples;
    int *const last = samples + sequences * length;

    while (seq < last) {
        size_t apart = 1;
        while (apart < length) {
            for (size_t first = 0; first < length; first += 2 * apart) {
                for (size_t i = first; i != first + apart; ++i) {
                    int a = seq[i], b = seq[i + apart];
                    seq[i] = a + b;
                    seq[i + apart] = a - b;
                }
            }
            apart <<= 1;
        }
        seq += length;
    }
}

int main(void)
{
    enum { ROWS = 16, LEN = 128 };
    int *samples = malloc(sizeof(int) * ROWS * LEN);
    if (!samples)
        return 1;
    for (int i = 0; i < ROWS * LEN; i++)
        samples[i] = (i * 7 % 5 > 2) ? 1 : -1;
    spectra(ROWS, LEN, samples);
    printf("%d %d\n", samples[0], samples[LEN]);
    free(samples);
    return 0;
}
