#ifndef SHAPE_H
#define SHAPE_H
typedef double real;
typedef struct { real x, y, w; } point;
enum mode { MODE_LINEAR, MODE_CUBIC = 3 };
real weight(const point *p, enum mode m);
real kernel(real r, int order);
void smooth_row(const real *in, real *out, int n);
extern real gain;
#endif
