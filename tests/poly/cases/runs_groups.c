// Runs of equal ids whose loop counts the walker itself and asks behind the body. want: parallel
#pragma regraph extent(id: n) extent(amount: n) extent(ids: n) extent(lengths: n) extent(sums: n)
#include <stddef.h>
size_t runs_groups(const int *id, const double *amount, size_t n, int *ids, size_t *lengths, double *sums)
{
    size_t i = 0, g = 0;
    while (i < n) {
        int current = id[i];
        double sum = 0.0, lost = 0.0;
        size_t length = 0;
        do {
            double y = amount[i] - lost;
            double t = sum + y;
            lost = (t - sum) - y;
            sum = t;
            length++;
            i++;
        } while (i < n && id[i] == current);
        ids[g] = current;
        lengths[g] = length;
        sums[g] = sum;
        g++;
    }
    return g;
}
