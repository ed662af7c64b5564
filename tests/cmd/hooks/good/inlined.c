// an inline function without a body of its own elsewhere (C99)
inline float square(float v) { return v * v; }
#pragma regraph size(n=1000)
void squares(int n, const float *x, float *y)
{
    for (int i = 0; i < n; i++) y[i] = square(x[i]);
}
