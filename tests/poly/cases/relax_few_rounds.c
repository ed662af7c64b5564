// Three rounds in place go far, and three rounds at once do not: the loop is run as it stands then. want: parallel
// chain: parallelize@C
#pragma regraph size(n=3000) size(n=40) size(n=3)
void along(int n, const int *start, int *d)
{
    for (int i = 0; i < n; i++) d[i] = start[i] + 100 * i;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < n - 1; i++)
            if (d[i] + 1 < d[i + 1]) d[i + 1] = d[i] + 1;
}
