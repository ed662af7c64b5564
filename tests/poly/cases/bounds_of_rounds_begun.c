// Rounds over a local that begins as the length and halves, memory from a caller with room to spare: its length is a size. want: parallel
#include <stdlib.h>
#include <string.h>
int bounds_of_rounds_begun(double *s, long n, int levels)
{
    double *t = malloc((n > 0 ? n : 1) * sizeof(double));
    int done = 0;
    if (!t) return -1;
    while (done < levels && n >= 2 && n % 2 == 0) {
        long half = n / 2;
        for (long i = 0; i < half; i++) {
            t[i] = (s[2 * i] + s[2 * i + 1]) * 0.5;
            t[half + i] = (s[2 * i] - s[2 * i + 1]) * 0.5;
        }
        memcpy(s, t, n * sizeof(double));
        n = half;
        done++;
    }
    free(t);
    return done;
}
int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 512;
    double *s = malloc((n + 1) * sizeof(double));
    for (long i = 0; i < n; i++) s[i] = (double)(i * 37 % 101) / 50.0 - 1.0;
    int levels = bounds_of_rounds_begun(s, n, 5);
    free(s);
    return levels != 5;
}
