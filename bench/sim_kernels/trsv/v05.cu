// desc: thread per row, all wait for x[j] in turn through a volatile array of flags, 64 threads
// plan: scratch int f[n];
// plan: fill(f, 0);
// plan: solve<<<n/64, 64>>>(n, L, b, x, f);
__global__ void solve(int n, const float *L, const float *b, float *x, int *f)
{
    int i = blockIdx.x * 64 + threadIdx.x, j = 0;
    float s = b[i], d = 1 / (L[i * n + i] + n);
    bool done = false;
    while (!done) {
        if (j < i && ((volatile int *)f)[j]) {
            __threadfence();
            s -= L[i * n + j] * ((volatile float *)x)[j];
            j++;
        }
        if (j == i) {
            ((volatile float *)x)[i] = s * d;
            __threadfence();
            ((volatile int *)f)[i] = 1;
            done = true;
        }
    }
}
