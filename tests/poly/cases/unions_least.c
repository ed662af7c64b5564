// Components by union and find, the least vertex first; the loop ends when one is left. want: parallel
// chain: parallelize@C
// shows: flat\[
#pragma regraph size(n = 3000, m = 4000) size(n = 40, m = 30) size(n = 1, m = 1) extent(u: m) extent(w: m) extent(label: n) extent(left: 1)
#pragma regraph input(u: uniform(0, n - 1)) input(w: uniform(0, n - 1)) role(label: out)
static int root(int *up, int v)
{
    while (up[v] != v) {
        up[v] = up[up[v]];
        v = up[v];
    }
    return v;
}
void unions_least(int n, int m, const int *u, const int *w, int *label, int *left)
{
    int count = n;
    for (int v = 0; v < n; v++) label[v] = v;
    for (int e = 0; e < m; e++) {
        int a = root(label, u[e]), b = root(label, w[e]);
        if (a == b) continue;
        if (a < b)
            label[b] = a;
        else
            label[a] = b;
        --count;
    }
    for (int v = 0; v < n; v++) label[v] = root(label, v);
    left[0] = count;
}
