// Which edges are taken depends on their order: what they weigh together is asked for. want: parallel
// chain: parallelize@C
// lacks: flat\[
#pragma regraph size(n = 3000, m = 4000) size(n = 40, m = 30) size(n = 1, m = 1) extent(u: m) extent(w: m) extent(label: n) extent(x: m)
#pragma regraph input(u: uniform(0, n - 1)) input(w: uniform(0, n - 1)) role(label: out) extent(total: 1)
static int root(int *up, int v)
{
    while (up[v] != v) {
        up[v] = up[up[v]];
        v = up[v];
    }
    return v;
}
void unions_weights_not(int n, int m, const int *u, const int *w, const int *x, int *label, long *total)
{
    long sum = 0;
    for (int v = 0; v < n; v++) label[v] = v;
    for (int e = 0; e < m; e++) {
        int a = root(label, u[e]), b = root(label, w[e]);
        if (a != b) {
            if (a < b)
                label[b] = a;
            else
                label[a] = b;
            sum += x[e];
        }
    }
    for (int v = 0; v < n; v++) label[v] = root(label, v);
    total[0] = sum;
}
