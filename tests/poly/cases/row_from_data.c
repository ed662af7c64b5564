// Rows that data lead to, and small arrays that sums fill in between: likelihoods up a tree. want: parallel
#pragma regraph size(tips=9,n=4000) size(tips=4,n=33) size(tips=2,n=3) init(tree) extent(code: tips*n) extent(left: tips - 1) extent(right: tips - 1)
#pragma regraph require(tips >= 2) extent(out: n) extent(p: 32*tips)
#include <stdlib.h>
void tree(int tips, int n, int *left, int *right, unsigned char *code, double *p)
{
    for (int k = 0; k < tips - 1; k++) {
        left[k] = k ? tips + k - 1 : 0;
        right[k] = k + 1;
    }
    for (int i = 0; i < tips * n; i++) code[i] = (unsigned char)(1 + i * 7 % 15);
    for (int i = 0; i < 32 * tips; i++) p[i] = 0.05 + 0.01 * (i * 13 % 23);
}
void row_from_data(int tips, int n, const int *left, const int *right, const unsigned char *code, const double *p,
                   double *out)
{
    double *part = malloc(sizeof(double) * (size_t)(tips - 1) * n * 4);
    for (int k = 0; k < tips - 1; k++) {
        int l = left[k], r = right[k];
        for (int s = 0; s < n; s++) {
            double a[4], b[4], biggest = 0;
            if (l < tips)
                for (int i = 0; i < 4; i++) {
                    a[i] = 0;
                    for (int j = 0; j < 4; j++)
                        if (code[(size_t)l * n + s] >> j & 1) a[i] += p[(l * 4 + i) * 4 + j];
                }
            else {
                const double *of = part + ((size_t)(l - tips) * n + s) * 4;
                for (int i = 0; i < 4; i++)
                    a[i] = p[(l * 4 + i) * 4] * of[0] + p[(l * 4 + i) * 4 + 1] * of[1] + p[(l * 4 + i) * 4 + 2] * of[2] +
                           p[(l * 4 + i) * 4 + 3] * of[3];
            }
            for (int i = 0; i < 4; i++) {
                b[i] = 0;
                for (int j = 0; j < 4; j++)
                    if (code[(size_t)r * n + s] >> j & 1) b[i] += p[(r * 4 + i) * 4 + j];
            }
            double *to = part + ((size_t)k * n + s) * 4;
            for (int i = 0; i < 4; i++) {
                to[i] = a[i] * b[i];
                if (to[i] > biggest) biggest = to[i];
            }
            if (biggest < 1e-3)
                for (int i = 0; i < 4; i++) to[i] *= 1e3;
        }
    }
    for (int s = 0; s < n; s++) {
        out[s] = 0;
        for (int i = 0; i < 4; i++) out[s] += part[((size_t)(tips - 2) * n + s) * 4 + i];
    }
    free(part);
}
