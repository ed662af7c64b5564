// Double rows over two dimensions, normalised in place; statistics are kept. want: parallel
// chain: parallelize,row.registers
// shows: double2
#include <math.h>
#pragma regraph size(b=3,m=17,n=640) size(b=2,m=3,n=33)
void row_layer_norm(int b, int m, int n, double x[b][m][n], const double *gain, const double *bias, double mean[b][m])
{
    for (int i = 0; i < b; i++)
        for (int j = 0; j < m; j++) {
            double s = 0, v = 0;
            for (int k = 0; k < n; k++) s += x[i][j][k];
            mean[i][j] = s / n;
            for (int k = 0; k < n; k++) v += (x[i][j][k] - mean[i][j]) * (x[i][j][k] - mean[i][j]);
            for (int k = 0; k < n; k++) x[i][j][k] = (x[i][j][k] - mean[i][j]) / sqrt(v / n + 1e-5) * gain[k] + bias[k];
        }
}
