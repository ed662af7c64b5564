// A carried value that goes through a function of its own, and elements that are stored where they are read. want: sequential
#pragma regraph size(n=900) size(n=1) size(n=33) input(x: uniform(0.5, 1.0))
double settle(int n, double x[n])
{
    double m = 0.5, worst = 0, top = 0;
    for (int i = 0; i < n; i++) {
        m = 3 * m * (1 - m) + 0.01 * x[i];
        if (m > worst) worst = m;
    }
    for (int i = 1; i < n; i++) {
        x[i] = 0.5 * (x[i] + x[i - 1] * top);
        if (x[i] > top) top = x[i];
        worst = top - x[i] > worst ? top - x[i] : worst;
    }
    return worst;
}
