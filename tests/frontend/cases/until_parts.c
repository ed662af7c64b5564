// function: relax
// function: moves
// function: counts
#include <math.h>
/* a loop that asks a helper every few rounds, in the second half of a condition */
static double rest(const double *u, int n)
{
    double r = 0;
    for (int i = 1; i < n - 1; i++) r += fabs(u[i - 1] - 2 * u[i] + u[i + 1]);
    return r;
}
#pragma regraph size(n=30) input(tol: constant(0.5))
int relax(int n, double tol, double *u, double *v)
{
    int it;
    for (it = 0; it < 60; it++) {
        for (int i = 1; i < n - 1; i++) v[i] = 0.5 * (u[i - 1] + u[i + 1]);
        for (int i = 1; i < n - 1; i++) u[i] = v[i];
        if (it % 4 == 3 && rest(u, n) < tol) break;
    }
    return it;
}
// explain(relax): if (it_2 % 4 == 3) {
// explain(relax): & go_on; it_2++
/* conditions that step what they compare */
#pragma regraph size(n=30)
int moves(int n, int *x)
{
    int rounds = 0, moved;
    do {
        moved = 0;
        for (int i = 0; i < n; i++)
            if (x[i] % 7) { x[i]--; moved++; }
    } while (moved > 0 && ++rounds < 4);
    return rounds * 100 + moved;
}
// explain(moves): round < 2147483647 && go_on
#pragma regraph size(n=30)
int counts(int n, int *x)
{
    int left = 5, sum = 1;
    while (left-- > 0 && sum < 200) {
        sum = 0;
        for (int i = 0; i < n; i++) {
            x[i] += 3;
            sum += x[i] & 15;
        }
    }
    return sum * 10 + left;
}
// explain(counts): round < 2147483647 && go_on
