// desc: 1024 threads for four products, shared memory, two barriers more than needed, persistent over 264 blocks
// plan: mm<<<264, 1024>>>(b, A, B, C);
__global__ void mm(int b, const float2 *A, const float2 *B, float2 *C)
{
    __shared__ float2 a[4][16][17], c[4][16][17];
    int t = threadIdx.x, p = t / 256, i = t / 16 & 15, j = t & 15;
    for (int s = blockIdx.x * 4; s < b; s += 264 * 4) {
        int o = (s + p) * 256 + (t & 255);
        a[p][i][j] = A[o];
        __syncthreads();
        c[p][i][j] = B[o];
        __syncthreads();
        float2 r = make_float2(0, 0);
        for (int k = 0; k < 16; k++) { float2 u = a[p][i][k], v = c[p][k][j]; r.x += u.x * v.x - u.y * v.y; r.y += u.x * v.y + u.y * v.x; }
        __syncthreads();
        C[o] = r;
    }
}
