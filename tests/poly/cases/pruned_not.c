// Terms may be negative: a sum that has come as far may still come back. want: sequential
#pragma regraph size(n=300, dim=20) size(n=30, dim=3) input(a: uniform(-1, 1)) input(w: uniform(-1, 1))
double pruned_not(int n, int dim, const double a[n][dim], const double *w)
{
    double best = 1.5;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = 0; k < dim; k++) {
            s += a[i][k] * w[k];
            if (s >= best) break;
        }
        if (s < best) best = s;
    }
    return best;
}
