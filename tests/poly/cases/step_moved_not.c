// The step changes on the way. want: sequential
#pragma regraph size(n=5000, step=1) size(n=90, step=4) extent(x: n)
void spread(int n, int step, float *x)
{
    for (int i = 0; i < n; i += step) {
        x[i] += 1;
        step++;
    }
}
