/* Functions that set things up and return a code, which the caller tests. */
#include <stdlib.h>
static int count;
static double *work;
static int prepare(int n, const double *x)
{
    if (n < 4) return -1;
    count = n;
    work = malloc(count * sizeof *work);
    if (!work) return -2;
    for (int i = 0; i < count; i++) work[i] = 2 * x[i];
    return 0;
}

// function: tested
// not(tested): prepare_value
#pragma regraph size(n=40) require(n >= 2)
int tested(int n, const double *x, double *y)
{
    if (prepare(n, x) != 0) return 1;
    for (int i = 1; i < count; i++) y[i] = work[i] - work[i - 1];
    free(work);
    return 0;
}

// function: negative
#pragma regraph size(n=40) require(n >= 2)
int negative(int n, const double *x, double *y)
{
    if (prepare(n, x) < 0) {
        for (int i = 0; i < n; i++) y[i] = 0;
        return -1;
    }
    for (int i = 0; i < count; i++) y[i] = work[i];
    free(work);
    return count;
}

static int grade(int n)
{
    if (n > 30) return 2;
    if (n > 10) return 1;
    return 0;
}

// function: graded
#pragma regraph size(n=40) require(n >= 2)
void graded(int n, int *y)
{
    int g = grade(n), k = 0;
    if (g == 1) k = 7;
    for (int i = 0; i < n; i++) y[i] = g + k;
    if (grade(n - 5) >= 1) y[0] = -1;
    y[1] += g;
}

// function: in_loop
#pragma regraph size(n=40) require(n >= 2)
void in_loop(int n, const int *x, int *y)
{
    for (int i = 0; i < n; i++) {
        int code;
        if (x[i] > 50) code = 1;
        else if (x[i] > 20) code = 0;
        else code = -1;
        y[i] = code;
        if (code < 0) continue;
        if (code) y[i] += 10;
        y[i] += 100;
    }
}

// function: early
#pragma regraph size(n=40) require(n >= 2)
int early(int n, const int *x)
{
    int bad = 0;
    if (x[0] > 90) bad = 1;
    else if (n > 1000) return 5;
    else bad = 0;
    if (bad) return x[0];
    int sum = bad;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
