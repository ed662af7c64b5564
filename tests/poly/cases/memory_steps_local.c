// A local array whose size steps a number, which is not lost. want: sequential
#pragma regraph extent(x : n) size(n = 200)
float memory_steps_local(const float *x, int n)
{
    float s = 0;
    int k = 3;
    float q[++k];
    for (int i = 0; i < k; i++) q[i] = i;
    for (int i = 0; i < n; i++) s += x[i] * q[i % k];
    return s + n + k;
}
