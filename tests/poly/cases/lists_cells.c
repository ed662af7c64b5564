// Lists of cells: rows of heads, the lists built anew in every step, numbers that run down, elements that a pool's counter counts, two a time. want: parallel
// chain: parallelize@C
// lacks: one thread: loop (i|k|e|t_)
#pragma regraph size(n=3000, m=40, steps=2) size(n=60, m=5, steps=1) extent(bucket: m) extent(first: m) extent(link: n)
#pragma regraph extent(edge: 2 * n) input(u: uniform(0, m - 1)) input(v: uniform(0, m - 1)) input(link: uniform(0, 9))
#pragma regraph input(bucket: uniform(0, 9)) input(x: uniform(0, 1)) input(y: uniform(0, 1))
struct edge {
    int to, next;
};

void lists_cells(int n, int m, int steps, float *x, const float *y, int head[7][9], int *next, const int *u, const int *v,
                 int *first, struct edge *edge, int *bucket, int *link, float *sum)
{
    for (int t = 0; t < steps; t++) {
        for (int a = 0; a < 7; a++)
            for (int b = 0; b < 9; b++) head[a][b] = -1;
        for (int i = 0; i < n; i++) {
            int at[2];
            at[0] = (int)(x[i] * 6), at[1] = (int)(y[i] * 8);
            next[i] = head[at[0]][at[1]];
            head[at[0]][at[1]] = i;
        }
        for (int i = 0; i < n; i++) x[i] = 0.5f * x[i] + 0.25f * y[i];
    }
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = head[3][i % 9]; k >= 0; k = next[k]) s = s > y[k] ? s : y[k];
        sum[i] = s;
    }

    int count = 0;
    for (int k = 0; k < m; k++) first[k] = -1;
    for (int k = 0; k < n; k++) {
        edge[count].to = v[k];
        edge[count].next = first[u[k]];
        first[u[k]] = count++;
        edge[count].to = u[k];
        edge[count].next = first[v[k]];
        first[v[k]] = count++;
    }

    for (int e = n - 1; e >= 0; e--) {
        int c = (u[e] + v[e]) % m, old = bucket[c];
        bucket[c] = e + 1;
        link[e] = old;
    }
}
