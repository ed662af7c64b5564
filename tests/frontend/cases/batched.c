#pragma regraph size(B=3, M=20, N=24, K=16)
void bmm(int B, int M, int N, int K, const float *a, const float *b, float *c)
{
    for (int n = 0; n < B; n++)
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++) {
                float acc = 0.f;
                for (int k = 0; k < K; k++)
                    acc += a[(n * M + i) * K + k] * b[n * K * N + k * N + j];
                c[(n * M + i) * N + j] = acc;
            }
}
// explain: a is read as a[B][M][K]
// explain: c is read as c[B][M][N]
// explain: class contraction
// not: opaque parts
