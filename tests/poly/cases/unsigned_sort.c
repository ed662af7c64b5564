// Sorts of rows with counters that have no sign: bounds next to the end, which goes down. want: parallel
#include <stddef.h>
void unsigned_sort(size_t rows, size_t n, int *a)
{
    for (size_t r = 0; r < rows; r++) {
        int *x = a + r * n;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j + 1 < n - i; j++)
                if (x[j] > x[j + 1]) {
                    int t = x[j];
                    x[j] = x[j + 1];
                    x[j + 1] = t;
                }
    }
}
