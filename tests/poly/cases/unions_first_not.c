// The root of the first end wins: which one it is depends on the order of the edges. want: parallel
// chain: parallelize@C
// lacks: flat\[
#pragma regraph size(n = 3000, m = 4000) size(n = 40, m = 30) size(n = 1, m = 1) extent(u: m) extent(w: m) extent(label: n)
#pragma regraph input(u: uniform(0, n - 1)) input(w: uniform(0, n - 1)) role(label: out)
static int root(int *up, int v)
{
    while (up[v] != v) {
        up[v] = up[up[v]];
        v = up[v];
    }
    return v;
}
void unions_first_not(int n, int m, const int *u, const int *w, int *label)
{
    for (int v = 0; v < n; v++) label[v] = v;
    for (int e = 0; e < m; e++) {
        int a = root(label, u[e]), b = root(label, w[e]);
        if (a != b) label[b] = a;
    }
    for (int v = 0; v < n; v++) label[v] = root(label, v);
}
