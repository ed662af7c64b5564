// Pairs from element 1 on, bounds that are met: the same transform by counters from 0. want: parallel
// chain: parallelize@C
// shows: rg_cpowi_d\(
#include <math.h>
#pragma regraph size(count=512) size(count=8) size(count=2)
void from_one(float data[], unsigned long count)
{
    unsigned long all = count << 1, j = 1, m, i, wide, step;
    float keep;
    for (i = 1; i < all; i += 2) {
        if (j > i) {
            keep = data[j], data[j] = data[i], data[i] = keep;
            keep = data[j + 1], data[j + 1] = data[i + 1], data[i + 1] = keep;
        }
        m = all >> 1;
        while (m >= 2 && j > m) {
            j -= m;
            m >>= 1;
        }
        j += m;
    }
    wide = 2;
    while (all > wide) {
        step = wide << 1;
        double turn = 6.28318530717959 / wide, half = sin(0.5 * turn), a = -2 * half * half, b = sin(turn);
        double re = 1, im = 0, was;
        for (m = 1; m < wide; m += 2) {
            for (i = m; i <= all; i += step) {
                j = i + wide;
                float x = re * data[j] - im * data[j + 1], y = re * data[j + 1] + im * data[j];
                data[j] = data[i] - x;
                data[j + 1] = data[i + 1] - y;
                data[i] += x;
                data[i + 1] += y;
            }
            was = re;
            re = re * a - im * b + re;
            im = im * a + was * b + im;
        }
        wide = step;
    }
}
