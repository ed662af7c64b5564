// Fields that take turns are the parameters themselves; the one that holds the last step is returned. want: parallel
// chain: parallelize@C
#pragma regraph size(n=300, steps=7) size(n=300, steps=8) size(n=40, steps=6) size(n=3, steps=1)
double *leapfrog(double *was, double *now, double *then, int n, double c2, int steps)
{
    if (n < 3 || steps < 1) return 0;
    while (steps-- > 0) {
        double *spare = was;
        for (int i = 1; i < n - 1; i++)
            then[i] = 2 * now[i] - was[i] + c2 * (now[i + 1] - 2 * now[i] + now[i - 1]);
        then[0] = then[n - 1] = 0;
        was = now;
        now = then;
        then = spare;
    }
    return now;
}
