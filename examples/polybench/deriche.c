/* Recursive edge detector: four first-order passes along rows and columns, forward and backward. */
#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
typedef DATA_TYPE real;
double exp(double);
double pow(double, double);
#pragma regraph size(w=97, h=89) size(w=17, h=23) size(w=1, h=2)
#pragma regraph input(alpha: constant(0.25))
void kernel_deriche(int w, int h, real alpha, const real in[w][h], real out[w][h], real y1[w][h], real y2[w][h])
{
    real k = (1 - exp(-alpha)) * (1 - exp(-alpha)) / (1 + 2 * alpha * exp(-alpha) - exp(2 * alpha));
    real a1 = k, a2 = k * exp(-alpha) * (alpha - 1), a3 = k * exp(-alpha) * (alpha + 1), a4 = -k * exp(-2 * alpha);
    real a5 = a1, a6 = a2, a7 = a3, a8 = a4, b1 = pow(2, -alpha), b2 = -exp(-2 * alpha), c1 = 1, c2 = 1;
    for (int i = 0; i < w; i++) {
        real ym1 = 0, ym2 = 0, xm1 = 0;
        for (int j = 0; j < h; j++) {
            y1[i][j] = a1 * in[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = in[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int i = 0; i < w; i++) {
        real yp1 = 0, yp2 = 0, xp1 = 0, xp2 = 0;
        for (int j = h - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = in[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++) out[i][j] = c1 * (y1[i][j] + y2[i][j]);
    for (int j = 0; j < h; j++) {
        real tm1 = 0, ym1 = 0, ym2 = 0;
        for (int i = 0; i < w; i++) {
            y1[i][j] = a5 * out[i][j] + a6 * tm1 + b1 * ym1 + b2 * ym2;
            tm1 = out[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (int j = 0; j < h; j++) {
        real tp1 = 0, tp2 = 0, yp1 = 0, yp2 = 0;
        for (int i = w - 1; i >= 0; i--) {
            y2[i][j] = a7 * tp1 + a8 * tp2 + b1 * yp1 + b2 * yp2;
            tp2 = tp1;
            tp1 = out[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (int i = 0; i < w; i++)
        for (int j = 0; j < h; j++) out[i][j] = c2 * (y1[i][j] + y2[i][j]);
}
