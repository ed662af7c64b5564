/* A film's frame, with one value of colour for four of brightness: width and height are even, which nothing here says. */
#include <stdint.h>

static uint8_t within(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (uint8_t)v;
}

void film_frame(int width, int height, const uint8_t bright[width * height],
                const uint8_t colour[(width / 2) * (height / 2)], uint8_t out[width * height])
{
    for (int y = 0; y < height; y++) {
        const uint8_t *row = colour + (y >> 1) * (width >> 1);
        for (int x = 0; x < width; x++) *out++ = within(bright[y * width + x] + (3 * (row[x >> 1] - 128) >> 2));
    }
}
