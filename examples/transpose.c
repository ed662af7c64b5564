/* B = transpose of A */
#pragma regraph size(rows=4096, cols=4096)
void transpose(int rows, int cols, const float A[rows][cols], float B[cols][rows])
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            B[j][i] = A[i][j];
}
