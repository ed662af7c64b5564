// Places that are no extremes: the elements move in the loop, the place does otherwise, another row is asked. want: sequential
// lacks: int best
// chain: sequential
#pragma regraph size(n=2000) size(n=9)
#pragma regraph input(x: uniform(0, 99)) input(y: uniform(0, 99))
void argmax_moved(int n, int x[n], const int y[n], int at[3])
{
    int p = 0, q = 0, r = 0;
    for (int i = 1; i < n; i++) {
        if (x[i] > x[p]) p = i;
        x[p] -= 7;
        if (y[i] > y[q]) q = i;
        if (y[i] == 50) q = i - 1;
        if (y[i] > y[n - 1 - r]) r = i;
    }
    at[0] = p;
    at[1] = q;
    at[2] = r;
}
