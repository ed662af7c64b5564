// An offset that the function is given may be below 0, and the quotient is cut off towards it: two iterations meet. want: sequential
// chain: sequential
#pragma regraph size(n=200, c=6) size(n=30, c=5) extent(o: n + c + 4)
void offset(int n, int c, int *o)
{
    for (int i = 0; i < n; i++)
        o[(2 * i + c) / 2 + 2] = o[(2 * i + c) / 2 + 2] * 3 + i;
}
