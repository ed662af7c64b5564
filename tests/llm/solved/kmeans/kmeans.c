/* k-means over points with integer coordinates, until no point changes its cluster or `rounds` are over. */
#include <stdlib.h>
#include <string.h>

static int nearest(int k, int dim, const int *point, const int *centre)
{
    int best = 0;
    long long least = -1;
    for (int c = 0; c < k; c++) {
        long long d = 0;
        for (int j = 0; j < dim; j++) {
            long long t = point[j] - centre[c * dim + j];
            d += t * t;
        }
        if (least < 0 || d < least) {
            least = d;
            best = c;
        }
    }
    return best;
}

#pragma regraph size(n=10000, k=8, dim=4, rounds=10) size(n=211, k=3, dim=2, rounds=5) size(n=5, k=2, dim=1, rounds=2)
#pragma regraph require(k <= n) role(centre: out) role(label: out)
#pragma regraph extent(point: n, dim) extent(centre: k, dim) extent(label: n)
int kmeans(int n, int k, int dim, int rounds, const int *point, int *centre, int *label)
{
    int *sum = malloc(sizeof(int) * k * dim), *count = malloc(sizeof(int) * k);
    memcpy(centre, point, sizeof(int) * k * dim);
    for (int i = 0; i < n; i++) label[i] = -1;
    int round = 0, changed = 1;
    while (round < rounds && changed) {
        changed = 0;
        memset(sum, 0, sizeof(int) * k * dim);
        memset(count, 0, sizeof(int) * k);
        for (int i = 0; i < n; i++) {
            int c = nearest(k, dim, point + i * dim, centre);
            if (c != label[i]) changed++;
            label[i] = c;
            count[c]++;
            for (int j = 0; j < dim; j++) sum[c * dim + j] += point[i * dim + j];
        }
        for (int c = 0; c < k; c++)
            for (int j = 0; j < dim; j++)
                if (count[c]) centre[c * dim + j] = sum[c * dim + j] / count[c];
        round++;
    }
    free(sum);
    free(count);
    return round;
}
