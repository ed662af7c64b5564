// A sum along a tree: the bound of the loop halves. want: parallel
// chain: parallelize@C
// shows: x\[i \+ s\]
#pragma regraph size(n=1024) size(n=8) size(n=2)  extent(x: n)
float tree_sum(float *x, int n)
{
    for (int s = n / 2; s > 0; s >>= 1)
        for (int i = 0; i < s; i++) x[i] += x[i + s];
    return x[0];
}
