/* y += a x, then z = y * w + x (two sweeps over the same vectors), and the sum of squares of y */
#pragma regraph size(n=1048576) size(n=1003)
float axpydot(int n, float a, const float x[n], float y[n], const float w[n], float z[n])
{
    for (int i = 0; i < n; i++) y[i] += a * x[i];
    for (int i = 0; i < n; i++) z[i] = y[i] * w[i] + x[i];
    float s = 0.0f;
    for (int i = 0; i < n; i++) s += y[i] * y[i];
    return s;
}
