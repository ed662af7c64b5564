// Scratch of each row, places in it that data say; what rows add up, take the least of and mix is of the row first. want: parallel
// chain: parallelize
// shows: least_part\[i\] = 
#pragma regraph size(n=300,m=100) size(n=3,m=5) extent(k: m) extent(x: n * m) extent(y: n) extent(found: 2)
#include <stdlib.h>
double rows_of_scratch(int n, int m, const unsigned *k, const double *x, double *y, int *found)
{
    double sum = 0, least = 1e30;
    int large = 0;
    unsigned bits = 7;
    for (int i = 0; i < n; i++) {
        double *t = malloc(sizeof(double) * m);
        for (int j = 0; j < m; j++) t[j] = x[(long)i * m + j] * x[j];
        for (int j = 1; j < m; j++) {
            t[j] += 0.5 * t[k[j] % (unsigned)j];
            if (t[j] > 0.5) large++;
            if (t[j] < least) least = t[j];
        }
        for (int j = 0; j < m; j++) {
            sum += t[j] * t[k[j] % (unsigned)m];
            bits ^= k[j] + (t[j] > 0.25);
        }
        y[i] = t[m - 1];
        free(t);
    }
    found[0] = large;
    found[1] = (int)(bits & 255);
    return sum + least;
}
