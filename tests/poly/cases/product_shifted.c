// Along arrays of n*m elements from another place than the first, down and up: the product stands for itself. want: parallel
// chain: parallelize@C
// lacks: one thread: loop c
#pragma regraph size(n=30,m=20,k=700) size(n=1,m=1,k=5) size(n=3,m=5,k=1) extent(start: n*m+1) extent(at: k) extent(more: n*m+2)
#pragma regraph input(at: uniform(0, n*m-1))
void product_shifted(int n, int m, int k, const int *at, int *start, double *more)
{
    int cells = n * m;
    for (int c = 0; c <= cells; c++) start[c] = 0;
    for (int i = 0; i < k; i++) start[at[i]]++;
    for (int c = cells; c > 0; c--) start[c] = start[c - 1];
    start[0] = 0;
    for (int c = 0; c < cells; c++) more[c + 2] = 0.5 * start[c + 1];
}
