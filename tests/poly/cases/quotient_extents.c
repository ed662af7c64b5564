// Arrays of as many elements as quotients of sizes say: blocks of an image, frames and bins. want: parallel
#include <stddef.h>
#include <stdint.h>

void blocks(const uint8_t *img, int w, int h, int stride, float *means, float *sums, size_t win, size_t hop, size_t n,
            const float *sig)
{
    if (w % 8 || h % 8 || stride < w || win < 2 || hop == 0 || n < win) return;
    for (int by = 0; by < h / 8; by++)
        for (int bx = 0; bx < w / 8; bx++) {
            const uint8_t *src = img + by * 8 * stride + bx * 8;
            float *dst = means + 8L * (by * (w / 8) + bx);
            for (int y = 0; y < 8; y++) {
                float s = 0;
                for (int x = 0; x < 8; x++) s += src[y * stride + x];
                *dst++ = s / 8;
            }
        }
    size_t frames = (n - win) / hop + 1, bins = win >> 1;
    for (size_t f = 0; f < frames; f++)
        for (size_t k = 0; k < bins; k++) sums[f * bins + k] = sig[f * hop + k] + sig[f * hop + win - 1 - k];
}
