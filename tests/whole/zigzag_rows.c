#include <stdio.h>
#include <stdlib.h>

/* Rows of a scan that went there and back: every other one is turned round, and its sign with it. */
void unfold(int rows, int cols, const float *scan, float *image)
{
    int backwards = 0;
    float gain = 1.0f;
    for (int r = 0; r < rows; r++) {
        const float *line = scan + (long)r * cols;
        for (int c = 0; c < cols; c++)
            image[r * cols + c] = gain * (backwards ? line[cols - 1 - c] : line[c]);
        backwards ^= 1;
        gain *= -1;
    }
}

int main(void)
{
    float s[6] = {1, 2, 3, 4, 5, 6}, im[6];
    unfold(2, 3, s, im);
    for (int i = 0; i < 6; i++) printf("%g ", im[i]);
    puts("");
    return 0;
}
