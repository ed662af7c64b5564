// desc: thread per product, 64 threads, uncoalesced
// plan: mm<<<b/64, 64>>>(A, B, C);
__global__ void mm(const float2 *A, const float2 *B, float2 *C)
{
    int o = (blockIdx.x * 64 + threadIdx.x) * 256;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            float2 s = make_float2(0, 0);
            for (int k = 0; k < 16; k++) { float2 u = A[o + i * 16 + k], v = B[o + k * 16 + j]; s.x += u.x * v.x - u.y * v.y; s.y += u.x * v.y + u.y * v.x; }
            C[o + i * 16 + j] = s;
        }
}
