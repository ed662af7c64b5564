#include <math.h>
#include <stdio.h>
#include <stdlib.h>
/* Adaptive explicit steps: a trial is accepted (buffers exchanged) when the change is small, else the step is halved. */
int adaptive(int n, int maxsteps, double dt, double tol, double *u)
{
    double *cur = malloc(n * sizeof(double)), *trial = malloc(n * sizeof(double));
    int accepted = 0;
    for (int i = 0; i < n; i++) { cur[i] = u[i]; trial[i] = u[i]; }
    for (int s = 0; s < maxsteps; s++) {
        double worst = 0;
        for (int i = 1; i < n - 1; i++) {
            double d = dt * (cur[i - 1] - 2 * cur[i] + cur[i + 1]);
            trial[i] = cur[i] + d;
            worst = fmax(worst, fabs(d));
        }
        if (worst < tol) {
            double *t = cur;
            cur = trial;
            trial = t;
            accepted++;
            dt *= 1.25;
        } else
            dt *= 0.5;
    }
    for (int i = 0; i < n; i++) u[i] = cur[i];
    free(cur);
    free(trial);
    return accepted;
}
int main(void)
{
    int n = 100000;
    double *u = malloc(n * sizeof *u);
    for (int i = 0; i < n; i++) u[i] = sin(i * 0.01) + (i % 5) * 0.1;
    printf("%d\n", adaptive(n, 20, 0.4, 0.15, u));
    return 0;
}
