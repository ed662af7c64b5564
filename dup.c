#include <stdbool.h>
int rows_sorted(int r, int c, const int *a, int *ok)
{
    int good = 0;
    for (int i = 0; i < r; i++) {
        bool sorted = true;
        for (int j = 1; j < c && sorted; j++)
            if (a[i*c+j-1] > a[i*c+j]) sorted = false;
        ok[i] = sorted;
        if (sorted) good++;
    }
    return good;
}
