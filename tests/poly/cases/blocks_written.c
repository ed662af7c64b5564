// Blocks of an image that are written one after another through a pointer that steps: at multiples of the blocks alone. want: parallel
// chain: parallelize@C
// lacks: one thread: loop
#pragma regraph size(width=96,height=40) size(width=8,height=4) extent(x: height*width) extent(y: height*width) require(width % 8 == 0) require(height % 4 == 0)
void blocks_written(const float *x, int width, int height, float *y)
{
    float *to = y;
    for (int by = 0; by < height; by += 4)
        for (int bx = 0; bx < width; bx += 8) {
            const float *from = x + by * width + bx;
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 8; c++) to[r * 8 + c] = from[r * width + c] - from[r * width];
            to += 4 * 8;
        }
}
