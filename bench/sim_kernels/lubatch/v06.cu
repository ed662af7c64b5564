// desc: block of 256 for 8 systems in padded shared memory, thread per row, warp barriers only
// plan: solve<<<b/8, 256, 33792+1024>>>(A, r, x);
__global__ void solve(const float *__restrict__ A, const float *__restrict__ r, float *__restrict__ x)
{
    extern __shared__ float sh[];
    int w = threadIdx.x / 32, t = threadIdx.x & 31, s = blockIdx.x * 8 + w;
    float *m = sh + w * 1056, *v = sh + 8448 + w * 32;
    for (int i = 0; i < 32; i++) m[i * 33 + t] = A[s * 1024 + i * 32 + t] + (i == t ? 40 : 0);
    v[t] = r[s * 32 + t];
    __syncwarp();
    for (int k = 0; k < 32; k++) {
        if (t > k) {
            float f = __fdividef(m[t * 33 + k], m[k * 34]);
            for (int j = k + 1; j < 32; j++) m[t * 33 + j] -= f * m[k * 33 + j];
            v[t] -= f * v[k];
        }
        __syncwarp();
    }
    for (int i = 31; i >= 0; i--) {
        if (t == i) v[i] = __fdividef(v[i], m[i * 34]);
        __syncwarp();
        if (t < i) v[t] -= m[t * 33 + i] * v[i];
        __syncwarp();
    }
    x[s * 32 + t] = v[t];
}
