// Where the place may be none yet, the best so far can't be read in front, and what is asked of it is no guard. want: sequential
#pragma regraph size(n=600) size(n=2) size(n=70) input(x: uniform(-5, 5)) input(ok: uniform(0, 3)) extent(x: n + 9) extent(out: 3)
void ordered_keys_guarded_not(const int *x, const int *ok, int n, int *out)
{
    int p = n + 8, q = 0, r = 0;
    for (int i = 0; i < n; i++)
        if (ok[i] > 1 && x[i] < x[p]) p = i;
    for (int i = 1; i < n; i++)
        if (ok[i] != ok[q] && x[i] < x[q]) q = i;
    for (int i = 1; i < n; i++)
        if (ok[i] && x[i] < x[r] && i < 2 * r + 3) r = i;
    out[0] = p;
    out[1] = q;
    out[2] = r;
}
