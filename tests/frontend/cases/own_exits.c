/* Loops that are left by what the iteration has just stored, or what it found before it stored. */
#include <math.h>

// function: history
#pragma regraph size(n=60, rounds=40) extent(x: n) extent(res: rounds)
int history(int n, int rounds, double *x, double tol, double *res)
{
    int r;
    for (int i = 0; i < rounds; i++) res[i] = 0;
    for (r = 0; r < rounds; r++) {
        double s = 0;
        for (int i = 0; i < n; i++) {
            x[i] *= 0.5;
            s += x[i] * x[i];
        }
        res[r] = sqrt(s);
        if (res[r] < tol * tol) break;
    }
    return r;
}

// function: stored
#pragma regraph size(n=200) extent(a: n) extent(y: n) role(y: inout)
int stored(int n, const int *a, int *y)
{
    int i;
    for (i = 0; i < n; i++) {
        y[i] = a[i] * 31 % 97;
        if (y[i] == 5) break;
    }
    return i;
}

// function: through
#pragma regraph size(n=200) extent(a: n) extent(y: n) role(y: inout)
int through(int n, const int *a, int *y)
{
    for (int i = 0; i < n; i++) {
        if (a[i] > 50) y[i] += a[i];
        int v = y[i] % 61;
        if (v == 7) return i;
    }
    return -1;
}

// function: in_loop
#pragma regraph size(n=200) extent(a: n) extent(y: n) role(y: inout)
int in_loop(int n, const int *a, int *y)
{
    for (int i = 0; i < n; i++) {
        int last = 0;
        for (int k = 0; k < 3; k++) {
            last += y[i];
            y[i] = a[i] + k;
        }
        if (last % 11 == 4) return i;
    }
    return -1;
}

// function: before
// explain(before): int first = n;
#pragma regraph size(n=200) extent(a: n) extent(y: n) role(y: inout)
int before(int n, const int *a, int *y)
{
    for (int i = 0; i < n; i++) {
        if (y[i] == a[i]) return i;
        y[i] = a[i];
    }
    return -1;
}
