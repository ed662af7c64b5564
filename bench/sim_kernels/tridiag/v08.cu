// desc: Thomas by thread, tiles of 32 columns through shared memory both ways, work arrays transposed in scratch, in double
// plan: scratch double cp[m*n];
// plan: scratch double dp[m*n];
// plan: thomas<<<ceil_div(m,32), 32>>>(m, n, a, b, c, d, cp, dp, x);
__global__ void thomas(int m, int n, const float *a, const float *b, const float *c, const float *d, double *cp, double *dp, float *x)
{
    __shared__ float sa[32][33], sb[32][33], sc[32][33], sd[32][33];
    int t = threadIdx.x, s0 = blockIdx.x * 32;
    double p = 0, q = 0;
    for (int k = 0; k < n; k += 32) {
        for (int r = 0; r < 32; r++) {
            int o = (s0 + r) * n + k + t;
            sa[r][t] = a[o]; sb[r][t] = b[o]; sc[r][t] = c[o]; sd[r][t] = d[o];
        }
        __syncwarp();
        for (int i = 0; i < 32; i++) {
            double e = k + i ? (double)sa[t][i] : 0.0, w = sb[t][i] - e * p;
            q = (sd[t][i] - e * q) / w;
            p = sc[t][i] / w;
            cp[(k + i) * m + s0 + t] = p;
            dp[(k + i) * m + s0 + t] = q;
        }
        __syncwarp();
    }
    double v = 0;
    for (int k = n - 32; k >= 0; k -= 32) {
        for (int i = 31; i >= 0; i--) {
            int o = (k + i) * m + s0 + t;
            v = k + i == n - 1 ? dp[o] : dp[o] - cp[o] * v;
            sa[t][i] = v;
        }
        __syncwarp();
        for (int r = 0; r < 32; r++) x[(s0 + r) * n + k + t] = sa[r][t];
        __syncwarp();
    }
}
