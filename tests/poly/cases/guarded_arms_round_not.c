// An unsigned difference comes round: the first iteration reads what the last one stores. want: sequential
#pragma regraph size(n=9000) size(n=7) size(n=2) extent(t: 2 * n)
void guarded_arms_round_not(unsigned n, int *t)
{
    for (unsigned i = 0; i < n; i++) {
        int s = i - 1u >= n ? t[2 * n - 1] : 0;
        t[n + i] = s + 5 + (int)i;
    }
}
