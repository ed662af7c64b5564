/* x1 += A y1, x2 += A^T y2 */
#pragma regraph size(n=2048) size(n=97)
void mvt(int n, float x1[n], float x2[n], const float y1[n], const float y2[n], const float A[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x1[i] += A[i][j] * y1[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) x2[i] += A[j][i] * y2[j];
}
