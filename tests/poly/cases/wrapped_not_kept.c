// A variable that the body changes stands in the value: the next iteration's is another. want: sequential
#pragma regraph size(n=300) size(n=17) size(n=2)
void drift(int n, const double *x, double *y)
{
    double prev = 0, gain = 1;
    for (int i = 0; i < n; i++) {
        y[i] = prev;
        prev = x[i] * gain;
        gain = 1 / (1 + gain * gain + y[i] * y[i]);
    }
}
