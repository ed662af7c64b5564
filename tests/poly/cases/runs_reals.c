// Runs of equal numbers, of which one that is no number is a run by itself. want: parallel
#pragma regraph extent(x: n) extent(weight: n) extent(value: n) extent(total: n)
int runs_reals(const double *x, const float *weight, int n, double *value, float *total)
{
    int g = 0;
    for (int i = 0; i < n;) {
        const int first = i;
        float sum = 0;
        do {
            sum += weight[i++];
        } while (i < n && x[i] == x[first]);
        value[g] = x[first];
        total[g] = sum;
        ++g;
    }
    return g;
}
