#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct { uint8_t r, g, b; } rgb;
typedef struct { double x0, y0, x1, y1; int w, h, maxit; } view;

static rgb palette[256];

static void make_palette(void)
{
    for (int i = 0; i < 256; ++i) {
        double t = i / 255.0;
        palette[i].r = (uint8_t)(9 * (1 - t) * t * t * t * 255);
        palette[i].g = (uint8_t)(15 * (1 - t) * (1 - t) * t * t * 255);
        palette[i].b = (uint8_t)(8.5 * (1 - t) * (1 - t) * (1 - t) * t * 255);
    }
}

static double escape(double cx, double cy, int maxit)
{
    double x = 0, y = 0;
    int n;
    for (n = 0; n < maxit; ++n) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 256.0)
            return n + 1 - log2(log(sqrt(xx + yy)));
        y = 2 * x * y + cy;
        x = xx - yy + cx;
    }
    return -1;
}

void render(const view *v, rgb *img)
{
    make_palette();
    for (int j = 0; j < v->h; ++j) {
        double cy = v->y0 + (v->y1 - v->y0) * j / (v->h - 1);
        for (int i = 0; i < v->w; ++i) {
            double cx = v->x0 + (v->x1 - v->x0) * i / (v->w - 1);
            double s = escape(cx, cy, v->maxit);
            rgb *p = img + (size_t)j * v->w + i;
            if (s < 0) {
                p->r = p->g = p->b = 0;
            } else {
                int k = (int)(s * 8) & 255;
                *p = palette[k];
            }
        }
    }
}

int main(void)
{
    view v = { -2.2, -1.2, 1.0, 1.2, 800, 600, 300 };
    rgb *img = malloc(sizeof(rgb) * v.w * v.h);
    render(&v, img);
    printf("P6\n%d %d\n255\n", v.w, v.h);
    fwrite(img, sizeof(rgb), v.w * v.h, stdout);
    free(img);
    return 0;
}
