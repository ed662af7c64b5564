// A distance is summed up until it is no shorter than the shortest, with counters and sums declared at the top. want: parallel
// chain: reduce.block@loop:i
#pragma regraph size(n=500, dim=20) size(n=30, dim=3)
int pruned_nearest(int n, int dim, const double points[n][dim], const double *query, double *distance)
{
    int i, k, who = -1;
    double s, d, best = 1e300;
    for (i = 0; i < n; i++) {
        s = 0;
        for (k = 0; k < dim; k++) {
            d = points[i][k] - query[k];
            s += d * d;
            if (s >= best) break;
        }
        if (s < best) {
            best = s;
            who = i;
        }
    }
    *distance = best;
    return who;
}
