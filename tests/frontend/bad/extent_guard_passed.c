// expect: the extent of 'x' cannot be read off
// the guard holds before the step, not behind it
#pragma regraph size(n=100)
void step(int n, const int *at, const float *x, float *y)
{
    for (int i = 0; i + 1 < n; i++) {
        int k = at[i];
        float s = 0;
        while (k < at[i + 1] && s < 3) {
            if (y[i] > s) k++;
            s += x[k];
        }
        y[i] = s;
    }
}
