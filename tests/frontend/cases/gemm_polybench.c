/* PolyBench macros, scalar bounds, #pragma scop */
#include <stdio.h>
#include <math.h>
#define NI 100
#define NJ 110
#define NK 120
#define DATA_TYPE double
#define SCALAR_VAL(x) x
#define POLYBENCH_C99_SELECT(x,y) x
#define POLYBENCH_DECL_VAR(x) x
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2) POLYBENCH_DECL_VAR(var)[dim1 + 0][dim2 + 0]
#define _PB_NI ni
#define _PB_NJ nj
#define _PB_NK nk
#pragma regraph size(ni=100, nj=110, nk=120)
static void kernel_gemm(int ni, int nj, int nk, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_2D(C, NI, NJ, ni, nj),
                        DATA_TYPE POLYBENCH_2D(A, NI, NK, ni, nk), DATA_TYPE POLYBENCH_2D(B, NK, NJ, nk, nj))
{
    int i, j, k;
#pragma scop
    for (i = 0; i < _PB_NI; i++) {
        for (j = 0; j < _PB_NJ; j++)
            C[i][j] *= beta;
        for (k = 0; k < _PB_NK; k++) {
            for (j = 0; j < _PB_NJ; j++)
                C[i][j] += alpha * A[i][k] * B[k][j];
        }
    }
#pragma endscop
}
