// A member of a structure from outside goes from one iteration to the next: its order stays. want: sequential
typedef struct { double re, im; } cpx;
#pragma regraph size(n=256) size(n=8) size(n=2) extent(x: n) require(1073741824 % n == 0)
void carried(cpx *x, int n)
{
    for (int h = 1; h < n; h <<= 1) {
        cpx sum;
        sum.re = sum.im = 0;
        for (int k = 0; k < h; k++)
            for (int i = k; i < n; i += 2 * h) {
                double re = x[i + h].re;
                sum.re = 0.5 * sum.re + x[i].re;
                x[i + h].re = x[i].re - re + 0.25 * sum.re;
                x[i].re += re;
            }
    }
}
