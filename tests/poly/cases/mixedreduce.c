// Two reductions in one nest, one of them on elements that differ between the outer iterations. want: parallel
#pragma regraph size(n=100) size(n=37)
#pragma regraph input(K: uniform(0, 5))
float mixedreduce(int n, const float D[n + 8], int K[n])
{
    float top = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - 1; j++) {
            K[n - 1 - i] ^= j & 3;
            if (i % 2 == 1) top = top > D[j + 5] ? top : D[j + 5];
        }
    return top;
}
