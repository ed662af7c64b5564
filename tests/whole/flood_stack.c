#include <stdlib.h>
/* flood fill with an explicit stack */
int flood(unsigned char *img, int w, int h, int sx, int sy, unsigned char target, unsigned char fill)
{
    if (target == fill || img[sy * w + sx] != target) return 0;
    int *stack = malloc(sizeof(int) * w * h * 4);
    int top = 0, painted = 0;
    stack[top++] = sy * w + sx;
    while (top > 0) {
        int p = stack[--top];
        if (img[p] != target) continue;
        img[p] = fill;
        painted++;
        int x = p % w, y = p / w;
        if (x > 0) stack[top++] = p - 1;
        if (x < w - 1) stack[top++] = p + 1;
        if (y > 0) stack[top++] = p - w;
        if (y < h - 1) stack[top++] = p + w;
    }
    free(stack);
    return painted;
}
