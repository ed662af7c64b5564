// Of two bits either may be set in both of a pair: their iterations touch one element. want: sequential
#pragma regraph size(n=1024) size(n=64) require(n % 64 == 0)
void bits_set_not(int n, int *x)
{
    for (int i = 0; i < n; i++)
        if (i & 6) x[i] += x[i ^ 6];
}
