// want: sequential
/* A real number goes on in ways that are no sum, and ends the loop: to run past it would be all the work once more. */
#pragma regraph size(n=600) size(n=1) size(n=2) size(n=3)
#pragma regraph input(x: uniform(0, 1))
int exits_states_not(int n, const double *x, double *y)
{
    double s = 1;
    for (int i = 0; i < n; i++) {
        s = x[i] / (0.01 + s * s);
        if (s > 60) return 1;
        y[i] = s;
    }
    return 0;
}
