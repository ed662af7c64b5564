/* four values that depend on each other, on every channel; coefficients in a structure */
#pragma regraph size(rows=64, n=4000)
typedef struct { float b0, b1, b2, a1, a2; } biquad;
void filter(int rows, int n, const float x[rows][n], float y[rows][n])
{
    const biquad q = {0.2f, 0.4f, 0.2f, -0.6f, 0.3f};
    for (int r = 0; r < rows; r++) {
        float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int i = 0; i < n; i++) {
            float v = q.b0 * x[r][i] + q.b1 * x1 + q.b2 * x2 - q.a1 * y1 - q.a2 * y2;
            x2 = x1;
            x1 = x[r][i];
            y2 = y1;
            y1 = v;
            y[r][i] = v;
        }
    }
}
