// `a ?: b`, GNU C's choice with its middle left out, whose first operand has a value and does nothing else. want: parallel
void choose(const int *a, const float *w, int n, int *out, float *r)
{
    for (int i = 0; i < n; i++) {
        int k = a[i] % 5 ?: (a[i] & 8) ?: -1;
        out[i] = (a[i] > 50 || i == 3 ?: 4) + ((a[i] % 2 ?: 6) ?: 9) + (i > 5 ? k ?: 2 : k);
        r[i] = w[i] * (w[i] > 0) ?: 2.5;
    }
}
