#include <math.h>

/* Root-mean-square normalisation of rows, scaled and shifted */
#pragma regraph size(rows=8192, cols=1024)
#pragma regraph input(eps: constant(1e-5))
void rmsnorm(int rows, int cols, const float x[rows][cols], const float weight[cols], const float bias[cols], float eps, float y[rows][cols])
{
    for (int i = 0; i < rows; i++) {
        float ss = 0.0f;
        for (int j = 0; j < cols; j++)
            ss += x[i][j] * x[i][j];
        float scale = 1.0f / sqrtf(ss / (float)cols + eps);
        for (int j = 0; j < cols; j++)
            y[i][j] = x[i][j] * scale * weight[j] + bias[j];
    }
}
