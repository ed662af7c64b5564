// Serial link encoder: every second line of the panel is sent from right to left, each byte as its
// difference from the byte sent just before. `first_bright` is where each line passes the threshold first,
// in the order of sending (-1: nowhere).
#include <stdio.h>
#include <stdlib.h>

void encode_panel(int lines, int cols, int threshold, const unsigned char *panel, signed char *wire, int *first_bright)
{
    for (int l = 0; l < lines; ++l) {
        const unsigned char *in = panel + (long)l * cols;
        signed char *out = wire + (long)l * cols;
        int c, n = 0, before = 128;

#define SEND(c) do { int now = (in[c] + before) / 2; out[n++] = (signed char)(now - before); before = now; } while (0)
        if (l % 2)
            for (c = cols - 1; c < cols && c >= 0; --c)
                SEND(c);
        else
            for (c = 0; c < cols && c >= 0; ++c)
                SEND(c);
#undef SEND

        first_bright[l] = -1;
        for (c = cols - 1; 0 <= c && c < cols; --c)
            if (in[c] > threshold) {
                first_bright[l] = c;
                break;
            }
    }
}

int main(void)
{
    enum { LINES = 240, COLS = 320 };
    unsigned char *p = malloc(LINES * COLS);
    signed char *w = malloc(LINES * COLS);
    int *f = malloc(LINES * sizeof(int)), sum = 0;

    for (int i = 0; i < LINES * COLS; i++) p[i] = (unsigned char)(i * 7 + i / 320 * 31);
    encode_panel(LINES, COLS, 250, p, w, f);
    for (int i = 0; i < LINES; i++) sum += f[i] + w[i * COLS + 5];
    printf("%d\n", sum);
    free(p), free(w), free(f);
    return 0;
}
