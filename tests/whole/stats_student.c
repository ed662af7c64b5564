#include <stdio.h>
#include <stdlib.h>
#include <math.h>

// Assignment 4: descriptive statistics of a table (rows = samples, columns = variables)

double mean(double *col, int n, int stride)
{
    double total = 0;
    for (int i = 0; i < n; i++) total = total + col[i * stride];
    return total / n;
}

double stddev(double *col, int n, int stride, double m)
{
    double total = 0;
    for (int i = 0; i < n; i++) total = total + pow(col[i * stride] - m, 2);
    return sqrt(total / (n - 1));
}

void describe(double *table, int n, int vars, double *means, double *sds, double *skews, double *correlation)
{
    for (int v = 0; v < vars; v++) {
        means[v] = mean(&table[v], n, vars);
        sds[v] = stddev(&table[v], n, vars, means[v]);
        double third = 0;
        for (int i = 0; i < n; i++) third += pow((table[i * vars + v] - means[v]) / sds[v], 3);
        skews[v] = third / n;
    }
    for (int a = 0; a < vars; a++) {
        for (int b = 0; b < vars; b++) {
            double c = 0;
            for (int i = 0; i < n; i++) c += (table[i * vars + a] - means[a]) * (table[i * vars + b] - means[b]);
            correlation[a * vars + b] = c / (n - 1) / (sds[a] * sds[b]);
        }
    }
}

int main(void)
{
    int n = 5000, vars = 40;
    double *t = (double *)malloc(n * vars * sizeof(double));
    double *m = (double *)malloc(vars * sizeof(double)), *s = (double *)malloc(vars * sizeof(double));
    double *k = (double *)malloc(vars * sizeof(double)), *c = (double *)malloc(vars * vars * sizeof(double));
    srand(1);
    for (int i = 0; i < n * vars; i++) t[i] = rand() / (double)RAND_MAX;
    describe(t, n, vars, m, s, k, c);
    printf("mean %f sd %f skew %f corr %f\n", m[0], s[0], k[0], c[1]);
    free(t); free(m); free(s); free(k); free(c);
    return 0;
}
