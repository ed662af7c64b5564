// desc: turned so that systems lie side by side, then thread per system in global memory, coalesced, 32 threads
// plan: scratch float M[b*1024];
// plan: scratch float v[b*32];
// plan: turn<<<dim3(b/32,32), dim3(32,32)>>>(b, A, M);
// plan: solve<<<ceil_div(b,32), 32>>>(b, M, v, r, x);
__global__ void turn(int b, const float *A, float *M)
{
    __shared__ float t[32][33];
    int x = threadIdx.x, y = threadIdx.y;
    t[y][x] = A[(blockIdx.x * 32 + y) * 1024 + blockIdx.y * 32 + x];
    __syncthreads();
    M[(blockIdx.y * 32 + y) * b + blockIdx.x * 32 + x] = t[x][y];
}
__global__ void solve(int b, float *M, float *v, const float *r, float *x)
{
    int s = blockIdx.x * 32 + threadIdx.x;
    if (s >= b) return;
    float *m = M + s;
    v += s;
    for (int i = 0; i < 32; i++) { m[i * 33 * b] += 40; v[i * b] = r[s * 32 + i]; }
    for (int k = 0; k < 32; k++)
        for (int i = k + 1; i < 32; i++) {
            float f = m[(i * 32 + k) * b] / m[k * 33 * b];
            for (int j = k + 1; j < 32; j++) m[(i * 32 + j) * b] -= f * m[(k * 32 + j) * b];
            v[i * b] -= f * v[k * b];
        }
    for (int i = 31; i >= 0; i--) {
        float t = v[i * b];
        for (int j = i + 1; j < 32; j++) t -= m[(i * 32 + j) * b] * v[j * b];
        v[i * b] = t / m[i * 33 * b];
        x[s * 32 + i] = v[i * b];
    }
}
