// desc: whole table in global memory, row major, a launch for each diagonal, 64 threads
// plan: scratch int t[(n+1)*(n+1)];
// plan: edge<<<ceil_div(n+1,256), 256>>>(n, t);
// plan: for (int s = 2; s <= 2*n; s++) step<<<ceil_div(min(s-1,n)-max(1,s-n)+1,64), 64>>>(n, s, a, c, t);
// plan: copy(d, t+n*(n+1), n+1);
__global__ void edge(int n, int *t) { int i = blockIdx.x * 256 + threadIdx.x; if (i <= n) { t[i] = i; t[i * (n + 1)] = i; } }
__global__ void step(int n, int s, const int *a, const int *c, int *t)
{
    int i = max(1, s - n) + blockIdx.x * 64 + threadIdx.x, j = s - i;
    if (i > min(s - 1, n)) return;
    int *e = t + i * (n + 1) + j;
    e[0] = min(e[-n - 2] + (a[i - 1] != c[j - 1]), min(e[-1], e[-n - 1]) + 1);
}
