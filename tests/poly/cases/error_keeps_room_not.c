// An error that keeps a list inside its room: past it stores would lie beyond the array. want: sequential
#pragma regraph size(n=90, most=2000) size(n=60, most=40) extent(list: most) input(x: uniform(0, 1)) input(cut: uniform(0.2, 0.4))
#include <math.h>
struct pair {
    int i, j;
};
int error_keeps_room(int n, const float *x, float cut, struct pair *list, int most)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (fabsf(x[i] - x[j]) < cut) {
                if (found >= most) return -1;
                list[found].i = i;
                list[found].j = j;
                found++;
            }
    return found;
}
