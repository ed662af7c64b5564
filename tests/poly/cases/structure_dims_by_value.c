// Sizes and pitches in array members of a structure passed by value, subscripted by names, and read as a whole too. want: parallel
#include <stddef.h>
#pragma regraph size(im.n[0]=40,im.n[1]=30,im.pitch[0]=41,im.pitch[1]=44) size(im.n[0]=3,im.n[1]=3,im.pitch[0]=3,im.pitch[1]=3)
#pragma regraph extent(in: im.n[1]*im.pitch[0]) extent(out: im.n[1]*im.pitch[1])
enum { X, Y };
typedef struct { int n[2]; size_t pitch[2]; float scale; } image;
static int inside(image im, int x, int y) { return x > 0 && y > 0 && x < im.n[X] - 1 && y < im.n[Y] - 1; }
static float weight(image im, int k) { int s = k; while (s >= im.n[0]) s -= im.n[0]; return s * im.scale; }
void blur(image im, const float *in, float *out)
{
    image copy = im;
    for (int y = 0; y < im.n[Y]; y++)
        for (int x = 0; x < copy.n[X]; x++)
            if (inside(im, x, y))
                out[y * im.pitch[Y] + x] = in[y * im.pitch[X] + x - 1] + weight(copy, x) * in[y * im.pitch[X] + x + 1];
}
