// Complex numbers of which the code names parts alone, by value and in tables; their stores through a pointer that walks. want: parallel
#include <complex.h>
static const float complex turn[4] = {1, -I, -1, I};
#pragma regraph size(w=60,h=40,most=30) size(w=5,h=7,most=3) extent(out: w * h)
void complex_by_value(float complex *out, int w, int h, float complex lo, float complex hi, int most)
{
    const float complex root[3] = {1, -0.5f + 0.8660254f * I, -0.5f - 0.8660254f * I};
    float dx = (crealf(hi) - crealf(lo)) / w, dy = (cimagf(hi) - cimagf(lo)) / h;
    for (int row = 0; row < h; row++)
        for (int col = 0; col < w; col++) {
            float re = crealf(lo) + col * dx, im = cimagf(lo) + row * dy;
            int best = 0;
            for (int k = 1; k < 3 && k < most; k++)
                if (cabsf(re + im * I - root[k]) < cabsf(re + im * I - root[best])) best = k;
            *out++ = turn[(row + best) & 3] * (re - im);
        }
}
