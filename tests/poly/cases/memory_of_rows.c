// Memory for one element more than a constant, and for a number of bytes that is no whole number of them. want: parallel
#include <stdlib.h>
enum { WIDE = 32 };
void memory_of_rows(const int *len, int n, int *out)
{
#pragma regraph extent(len: n) extent(out: n) input(len: uniform(0, 32))
    int *row = malloc((WIDE + 1) * sizeof(int)), *next = malloc(WIDE * sizeof(int) + sizeof(int) + 2);
    for (int k = 0; k < n; k++) {
        for (int j = 0; j <= WIDE; j++) row[j] = j * k;
        for (int j = 0; j <= WIDE; j++) next[j] = row[WIDE - j] + j;
        out[k] = next[len[k]];
    }
    free(row);
    free(next);
}
