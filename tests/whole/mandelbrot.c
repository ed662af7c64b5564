#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_ITER 200

static int escape(double complex c)
{
    double complex z = 0;
    int n = 0;
    while (creal(z) * creal(z) + cimag(z) * cimag(z) <= 4.0 && n < MAX_ITER) {
        z = z * z + c;
        n++;
    }
    return n;
}

void mandelbrot(int *image, int width, int height, double x0, double y0, double scale)
{
    for (int py = 0; py < height; py++)
        for (int px = 0; px < width; px++) {
            double complex c = (x0 + px * scale) + (y0 + py * scale) * I;
            image[py * width + px] = escape(c);
        }
}

int main(void)
{
    enum { W = 320, H = 240 };
    int *img = malloc(W * H * sizeof *img);
    mandelbrot(img, W, H, -2.0, -1.2, 0.01);
    long sum = 0;
    for (int i = 0; i < W * H; i++) sum += img[i];
    printf("%ld\n", sum);
    free(img);
    return 0;
}
