// A transform of pairs side by side: counters by 2, the twiddle runs along the outer loop, places reversed by steps of 2. want: parallel
// chain: parallelize@C
// shows: rg_cpowi_d\(
#include <math.h>
#pragma regraph size(pairs=1024) size(pairs=8) size(pairs=2) size(pairs=1)
void spectrum(double *z, int pairs)
{
    const int all = 2 * pairs;
    int mirror = 0, part;
    for (int at = 0; at < all; at += 2) {
        if (mirror > at) {
            double keep = z[at];
            z[at] = z[mirror];
            z[mirror] = keep;
            keep = z[at + 1];
            z[at + 1] = z[mirror + 1];
            z[mirror + 1] = keep;
        }
        part = pairs;
        while (part >= 2 && mirror >= part) {
            mirror -= part;
            part >>= 1;
        }
        mirror += part;
    }
    for (int width = 2; width < all; width *= 2) {
        double turn = 6.283185307179586 / width, c = cos(turn), s = sin(turn), re = 1, im = 0, next;
        int stride = 2 * width;
        for (int first = 0; first < width; first += 2) {
            for (int low = first; low < all; low += stride) {
                int high = low + width;
                double x = re * z[high] - im * z[high + 1], y = re * z[high + 1] + im * z[high];
                z[high] = z[low] - x;
                z[high + 1] = z[low + 1] - y;
                z[low] += x;
                z[low + 1] += y;
            }
            next = re * c - im * s;
            im = re * s + im * c;
            re = next;
        }
    }
}
