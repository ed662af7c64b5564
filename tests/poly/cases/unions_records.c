// Components by union and find over edges that are records. want: parallel
// chain: parallelize@C
// shows: flat\[
#pragma regraph size(n = 3000, m = 4000) size(n = 40, m = 30) size(n = 1, m = 1) extent(edge: m) extent(label: n) extent(many: n)
#pragma regraph input(edge.u: uniform(0, n - 1)) input(edge.w: uniform(0, n - 1)) role(label: out) role(many: out)
struct edge {
    int u, w;
    float cost[2];
};
static int root(int *up, int v)
{
    while (up[v] != v) {
        up[v] = up[up[v]];
        v = up[v];
    }
    return v;
}
int unions_records(int n, int m, const struct edge *edge, int *label, int *many)
{
    int count = 0;
    for (int v = 0; v < n; v++) {
        label[v] = v;
        many[v] = 0;
    }
    for (int e = 0; e < m; e++) {
        if (edge[e].cost[1] > 0.75f) continue;
        int a = root(label, edge[e].u), b = root(label, edge[e].w);
        if (a == b) continue;
        if (a < b)
            label[b] = a;
        else
            label[a] = b;
    }
    for (int v = 0; v < n; v++) {
        label[v] = root(label, v);
        if (label[v] == v) count++;
        many[label[v]]++;
    }
    return count;
}
