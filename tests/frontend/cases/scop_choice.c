/* the marked function is meant, unused sizes need no value */
#include <stdio.h>
#define _PB_N n
static void init_array(int n, double A[n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = (i + j) % 7; }
#pragma regraph size(n=30, steps=3)
static void kernel_smooth(int ni, int nj, int steps, int n, double A[n][n], double B[restrict n][n])
{
#pragma scop
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < _PB_N - 1; i++)
            for (int j = 1; j < _PB_N - 1; j++) B[i][j] = 0.2 * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
#pragma endscop
}
void other(int n, double *q) { for (int i = 0; i < n; i++) q[i] = 0; }
int main(void)
{
    static double A[30][30], B[30][30], z[3];
    init_array(30, A);
    kernel_smooth(1, 2, 3, 30, A, B);
    other(3, z);
    printf("%f\n", B[3][3]);
    return 0;
}
// explain: kernel_smooth(
// explain: ni=1
