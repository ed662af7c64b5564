// A sum that has come to the best so far leaves, and then counts as one: the rest of it would not. want: sequential
#pragma regraph size(n=300, dim=20) size(n=30, dim=3) input(a: uniform(0, 5))
int pruned_equal_not(int n, int dim, const int a[n][dim], int *ties)
{
    int best = 1 << 30, t = 0;
    for (int i = 0; i < n; i++) {
        int s = 0;
        for (int k = 0; k < dim; k++) {
            s += a[i][k] > 2;
            if (s >= best) break;
        }
        if (s <= best) {
            best = s;
            t = t * 3 % 1009 + i;
        }
    }
    *ties = t;
    return best;
}
