/* A suite's file as it is: sizes by macros, arrays by macros, scratch from an allocator of another file, a matrix that
 * is positive definite only as its own init makes it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 160
#endif
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#define SQRT_FUN(x) sqrt(x)
#ifdef SUITE_USE_RESTRICT
#define SUITE_RESTRICT restrict
#else
#define SUITE_RESTRICT
#endif
#ifdef SUITE_USE_SCALAR_LB
#define SUITE_LOOP_BOUND(x, y) x
#else
#define SUITE_LOOP_BOUND(x, y) y
#endif
#define SUITE_2D(var, d1, d2, e1, e2) var[SUITE_RESTRICT d1 + 0][d2 + 0]
#define SUITE_ARRAY(x) *x
#define SUITE_2D_ARRAY_DECL(var, type, d1, d2, e1, e2)                                                                 \
    type SUITE_2D((*var), d1, d2, e1, e2);                                                                             \
    var = (type(*)[d1 + 0][d2 + 0]) suite_alloc_data((d1 + 0) * (d2 + 0), sizeof(type));
#define SUITE_FREE_ARRAY(x) free((void *)x);
#define _SB_N SUITE_LOOP_BOUND(N, n)
extern void *suite_alloc_data(unsigned long long int n, int elt_size);
extern void suite_timer_start(void);
extern void suite_timer_stop(void);

static void init_array(int n, DATA_TYPE SUITE_2D(A, N, N, n, n))
{
    int i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++) A[i][j] = (DATA_TYPE)(-j % n) / n + 1;
        for (j = i + 1; j < n; j++) A[i][j] = 0;
        A[i][i] = 1;
    }

    int r, s, t;
    SUITE_2D_ARRAY_DECL(B, DATA_TYPE, N, N, n, n);
    for (r = 0; r < n; ++r)
        for (s = 0; s < n; ++s) (SUITE_ARRAY(B))[r][s] = 0;
    for (t = 0; t < n; ++t)
        for (r = 0; r < n; ++r)
            for (s = 0; s < n; ++s) (SUITE_ARRAY(B))[r][s] += A[r][t] * A[s][t];
    for (r = 0; r < n; ++r)
        for (s = 0; s < n; ++s) A[r][s] = (SUITE_ARRAY(B))[r][s];
    SUITE_FREE_ARRAY(B);
}

static void print_array(int n, DATA_TYPE SUITE_2D(A, N, N, n, n))
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++) {
            if ((i * n + j) % 20 == 0) fprintf(stderr, "\n");
            fprintf(stderr, "%0.2lf ", A[i][j]);
        }
}

static void kernel_factor(int n, DATA_TYPE SUITE_2D(A, N, N, n, n))
{
    int i, j, k;

#pragma scop
    for (i = 0; i < _SB_N; i++) {
        for (j = 0; j < i; j++) {
            for (k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (k = 0; k < i; k++) A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = SQRT_FUN(A[i][i]);
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    int n = N;
    SUITE_2D_ARRAY_DECL(A, DATA_TYPE, N, N, n, n);
    init_array(n, SUITE_ARRAY(A));
    suite_timer_start();
    kernel_factor(n, SUITE_ARRAY(A));
    suite_timer_stop();
    if (argc > 42 && !strcmp(argv[0], "")) print_array(n, SUITE_ARRAY(A));
    SUITE_FREE_ARRAY(A);
    return 0;
}
