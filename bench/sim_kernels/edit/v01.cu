// desc: a launch for each of 2n-1 diagonals, three diagonals in scratch
// plan: scratch int p[n+1];
// plan: scratch int q[n+1];
// plan: scratch int r[n+1];
// plan: for (int s = 0; s <= 2*n; s++) {
// plan: step<<<ceil_div(min(s,n)-max(0,s-n)+1,256), 256>>>(n, s, a, c, p, q, r, d);
// plan: swap(p, q);
// plan: swap(q, r);
// plan: }
// r: this diagonal, q: the one before, p: before that; all by row
__global__ void step(int n, int s, const int *a, const int *c, const int *p, const int *q, int *r, int *d)
{
    int lo = s > n ? s - n : 0, hi = s < n ? s : n, i = lo + blockIdx.x * 256 + threadIdx.x, j = s - i;
    if (i > hi) return;
    int v;
    if (i == 0) v = j;
    else if (j == 0) v = i;
    else v = min(p[i - 1] + (a[i - 1] != c[j - 1]), min(q[i], q[i - 1]) + 1);
    r[i] = v;
    if (i == n) d[j] = v;
}
