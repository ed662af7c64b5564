// Text that keeps its pointers to rows, of a structure and of an argument, gets a table of them. want: sequential
#include <stdlib.h>
struct picture {
    int width, height;
    float **row;
};
static void shorten(struct picture *p, const int *at)
{
    for (int y = 0; y < p->height; y++)
        for (int x = at[y] % p->width; x < p->width - 1; x++) p->row[y][x] = p->row[y][x + 1];
    p->width--;
}
#pragma regraph size(p.height = 12) size(p.height = 5)
#pragma regraph extent(p.row : p.height, 20) extent(gain : p.height, 20)
#pragma regraph input(p.width : uniform(9, 20))
double text_of_rows(struct picture *p, float **gain, int least)
{
    if (p->width > 20 || p->width < 1 || least < 1) return -1;
    int stride = p->width;
    int *at = malloc(sizeof(int) * p->height);
    float *was = malloc(sizeof(float) * stride * p->height);
    double sum = 0;
    for (int y = 0; y < p->height; y++) at[y] = 3 * y;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < stride; x++) was[y * stride + x] = p->row[y][x];
    while (p->width > least) {
        shorten(p, at);
        for (int y = 0; y < p->height; y++) sum += p->row[y][0] * gain[y][p->width - 1];
    }
    sum += was[stride * p->height - 1];
    free(at);
    free(was);
    return sum;
}
