#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#define A(i,j) a[(i)*n+(j)]
void lu_factor(float *a, int *perm, int n)
{
    for (int i = 0; i < n; i++) perm[i] = i;
    for (int k = 0; k < n - 1; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabsf(A(i,k)) > fabsf(A(p,k))) p = i;
        if (p != k) {
            int ti = perm[k]; perm[k] = perm[p]; perm[p] = ti;
            for (int j = 0; j < n; j++) { float t = A(k,j); A(k,j) = A(p,j); A(p,j) = t; }
        }
        for (int i = k + 1; i < n; i++) {
            A(i,k) /= A(k,k);
            for (int j = k + 1; j < n; j++) A(i,j) -= A(i,k) * A(k,j);
        }
    }
}
int main(void)
{
    int n = 200;
    float *a = malloc(n*n*sizeof *a); int *p = malloc(n*sizeof *p);
    for (int i = 0; i < n*n; i++) a[i] = rand() / (float)RAND_MAX - 0.5f;
    lu_factor(a, p, n);
    printf("%d %f\n", p[0], a[3]);
    return 0;
}
