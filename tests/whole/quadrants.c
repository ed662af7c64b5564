#include <stdio.h>
#include <stdlib.h>

/* Points by quadrant, and how many lie on an axis, counted by turns of if and else. */
void quadrants(long n, const double *px, const double *py, unsigned long tally[5])
{
    for (long i = 0; i < n; ++i) {
        const double x = px[i], y = py[i];
        if (x > 0) {
            if (y > 0) tally[0]++;
            else if (y < 0) tally[3]++;
            else tally[4]++;
        } else if (x < 0) {
            if (y > 0) tally[1] += 1;
            else if (y < 0) tally[2] = tally[2] + 1;
            else ++tally[4];
        } else {
            tally[4]++;
        }
    }
}

int main(void)
{
    double x[3] = {1, -1, 0}, y[3] = {1, 2, 3};
    unsigned long t[5] = {0};
    quadrants(3, x, y, t);
    printf("%lu %lu %lu %lu %lu\n", t[0], t[1], t[2], t[3], t[4]);
    return 0;
}
