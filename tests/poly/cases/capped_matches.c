// All places of a short text in a long one, up to so many, with counters declared at the top. want: parallel
// chain: scan.block
#pragma regraph size(n=3000, m=3, maxpos=30) size(n=200, m=2, maxpos=300) input(text: uniform(97, 99)) input(pat: uniform(97, 99))
int capped_matches(const char *text, int n, const char *pat, int m, int *pos, int maxpos)
{
    int i, j, count = 0;
    for (i = 0; i + m <= n; i++) {
        for (j = 0; j < m; j++)
            if (text[i + j] != pat[j])
                break;
        if (j < m)
            continue;
        pos[count++] = i;
        if (count >= maxpos)
            break;
    }
    return count;
}
