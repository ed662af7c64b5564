// want: parallel
/* What the first parks a later one changes: the number is no longer what the first was called with. */
#include <stdlib.h>
static struct { int n; float *x, *y; } line;
void line_open(int n)
{
    line.n = n;
    line.x = malloc((size_t)n * sizeof(float));
    line.y = malloc((size_t)n * sizeof(float));
}
void line_fill(int step)
{
    for (int i = 0; i < line.n; i++) line.x[i] = (float)((i * step) % 31);
    if (step > 1) line.n = line.n / 2;
}
#pragma regraph init(line_open, line_fill) input(step: constant(3)) size(n=20000,line.n=10000) size(n=100,line.n=50) size(n=7,line.n=3)
void line_smooth(int n)
{
    for (int i = 1; i < line.n - 1; i++) line.y[i + n - line.n] = 0.25f * line.x[i - 1] + 0.5f * line.x[i] + 0.25f * line.x[i + 1];
}
