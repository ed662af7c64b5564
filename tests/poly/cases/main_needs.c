// What main alone needs is not linked: neither the function of another file that it calls, nor what that calls. want: parallel
#include <stdio.h>
void *allocate_somewhere_else(unsigned long bytes);
extern int level_of_report;
static void report(int n, const double *x)
{
    if (level_of_report > 1)
        for (int i = 0; i < n; i++) printf("%g\n", x[i]);
}
#pragma regraph size(n=20000) size(n=37)
static void main_needs(int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = 2 * x[i] + 1;
}
int main(void)
{
    double *x = allocate_somewhere_else(100 * sizeof *x);
    main_needs(100, x);
    report(100, x);
    return 0;
}
