// Elements near the least so far are counted: which are near depends on the order. want: sequential
// chain: sequential
#pragma regraph size(n = 400) size(n = 1) size(n = 2) size(n = 37) extent(m : 2)
void near_least(const double *x, int n, double *m)
{
    double least = 1e30;
    int near = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] < least) {
            least = x[i];
            near = 1;
        } else if (x[i] - least < 0.01 * near)
            near++;
    }
    m[0] = least;
    m[1] = near;
}
