// A root that the union steps on is no count of roots; a loop that stops may have edges behind its end that are none. want: parallel
// chain: parallelize,coalesce
// lacks: jumps
#pragma regraph size(n=50, m=120) size(n=7, m=9) extent(u: m) extent(w: m) extent(label: n) extent(other: n)
void stepped(int n, int m, const int *u, const int *w, int *label, int *other)
{
    int count = n;
    for (int v = 0; v < n; v++) label[v] = v;
    for (int e = 0; e < m; e++) {
        int a = u[e], b = w[e];
        while (label[a] != a) a = label[a];
        while (label[b] != b) b = label[b];
        if (a != b) {
            if (b > 0) b--;
            if (a < b)
                label[b] = a;
            else
                label[a] = b;
        }
    }
    for (int v = 0; v < n; v++) {
        int x = v;
        while (label[x] != x) x = label[x];
        label[v] = x;
    }
    for (int v = 0; v < n; v++) other[v] = v;
    for (int e = 0; e < m; e++) {
        int a = u[e], b = w[e];
        while (other[a] != a) a = other[a];
        while (other[b] != b) b = other[b];
        if (a == b) continue;
        if (a < b)
            other[b] = a;
        else
            other[a] = b;
        if (--count == 1) break;
    }
    for (int v = 0; v < n; v++) {
        int x = v;
        while (other[x] != x) x = other[x];
        other[v] = x;
    }
}
