// The array is written on the way: what it held is not what it holds. want: sequential
#pragma regraph size(n=300) size(n=17) size(n=2)
void feed(int n, double *x)
{
    double prev = 1;
    for (int i = 0; i < n; i++) {
        double r = x[i] > 0 ? prev : 0.5;
        x[i] = x[i] * r + r * r;
        prev = x[i];
    }
}
