// Pointers that start at what members of a structure point to and step from there. want: parallel
#include <stddef.h>
typedef struct {
    unsigned char *data;
    const float *gain;
    int width, height;
    ptrdiff_t pitch;
} image;
double members_walked(image *im)
{
    unsigned char *line = im->data;
    const float *g = im->gain;
    double sum = 0;
    for (int y = 0; y < im->height; y++, line += im->pitch, g++) {
        unsigned char *p = line, *end = line + im->width;
        while (p != end) {
            *p = (unsigned char)((*p >> 1) + (*g > 0));
            p++;
        }
        sum += *g;
    }
    return sum;
}
