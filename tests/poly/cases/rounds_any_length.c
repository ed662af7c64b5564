// A sum along a tree of any length, declared as in C89. want: parallel
// chain: parallelize@C
// shows: e \^ s
#pragma regraph size(n=1024) size(n=1001)
void tree(const double *in, double *a, int n, double *total)
{
    int i, s;
    for (i = 0; i < n; i++) a[i] = in[i] * in[i];
    for (s = 1; s < n; s = s * 2)
        for (i = 0; i + s < n; i += 2 * s)
            a[i] += a[i + s];
    *total = a[0];
}
