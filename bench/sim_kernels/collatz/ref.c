void ref_collatz(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++) {
        unsigned long long v = x[i];
        int c = 0;
        while (v != 1) v = v & 1 ? 3 * v + 1 : v / 2, c++;
        y[i] = c;
    }
}
