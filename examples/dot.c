/* Inner product of two vectors, returned. */
#pragma regraph size(n=16777216)
float dot(int n, const float *x, const float *y)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}
