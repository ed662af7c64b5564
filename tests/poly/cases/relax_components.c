// Connected components by the least label, both ends of an edge. want: parallel
// chain: parallelize@C
// shows: atomicMin\(&label\[
#pragma regraph size(n=20000, m=60000) size(n=70, m=90) size(n=1, m=1)
void components(int n, int m, const int *src, const int *dst, int *label)
{
    for (int i = 0; i < n; i++) label[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int e = 0; e < m; e++) {
            int u = src[e], v = dst[e];
            if (label[u] < label[v]) { label[v] = label[u]; changed = 1; }
            else if (label[v] < label[u]) { label[u] = label[v]; changed = 1; }
        }
    }
}
