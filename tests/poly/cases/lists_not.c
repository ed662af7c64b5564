// No lists of the kind: links that are read while they are built, another list's head that moves, heads that are read in between. want: sequential
// chain: sequential
// lacks: rank
#pragma regraph size(n=3000) size(n=50) extent(a: 16) extent(b: 16) extent(c: 16) extent(x: n) extent(y: n) extent(z: n)
#pragma regraph input(key: uniform(0, 15)) input(a: uniform(0, 9)) input(b: uniform(0, 9)) input(c: uniform(0, 9))
#pragma regraph input(x: uniform(0, 9))
void lists_not(int n, const int *key, int *a, int *b, int *c, int *x, int *y, int *z)
{
    for (int i = 0; i < n; i++) {
        x[i] = a[key[i]];
        a[key[i]] = i;
        x[i] += x[i / 2];
    }
    for (int i = 0; i < n; i++) {
        y[i] = b[key[i]];
        b[15 - key[i]] = i;
    }
    for (int i = 0; i < n; i++) {
        int k = key[i];
        z[i] = c[k];
        k = (k + c[3]) & 15;
        c[k] = i;
    }
}
