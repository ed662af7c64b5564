// Components of a graph in rows; the end counts what belongs to each. want: parallel
#pragma regraph size(n = 3000) size(n = 40) size(n = 1) extent(row: n + 1) extent(label: n) extent(size: n)
static int root(int *up, int v)
{
    while (up[v] != v) v = up[v];
    return v;
}
void unions_rows(int n, const long *row, const int *adj, int *label, int *size)
{
    for (int v = 0; v < n; v++) {
        label[v] = v;
        size[v] = 0;
    }
    for (int v = 0; v < n; v++)
        for (long e = row[v]; e < row[v + 1]; e++) {
            int a = root(label, v), b = root(label, adj[e]);
            if (a > b)
                label[a] = b;
            else
                label[b] = a;
        }
    for (int v = 0; v < n; v++) {
        label[v] = root(label, v);
        size[label[v]]++;
    }
}
