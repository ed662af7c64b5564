// The loop counts by an element that it names by another subscript, too: it stays as it stands. want: sequential
// chain: sequential@C
#pragma regraph size(n=300) size(n=5) input(have: uniform(0, 9))
int drain(int n, int *have, int *at)
{
    int z = 0;
    for (int b = 0; b < n; b++)
        while (have[b]-- > 0) {
            at[b] += have[(b + 1) % n];
            have[(b + 1) % n] += 1 & have[b];
            z++;
            if (z > 50 * n) return z;
        }
    return z;
}
