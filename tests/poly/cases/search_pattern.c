// The first place of a pattern with places that take anything, in a text that random letters would never have it in. want: parallel
#pragma regraph size(n=40000,m=16) size(n=400,m=5) extent(text: n) extent(pattern: m) extent(any: m) input(any: constant(255))
long search_pattern(const unsigned char *text, unsigned long n, const unsigned char *pattern, const unsigned char *any, unsigned long m)
{
    if (m == 0 || n < m) return -1;
    for (unsigned long i = 0; i <= n - m; i++) {
        unsigned long j;
        for (j = 0; j < m; j++)
            if ((text[i + j] & any[j]) != (pattern[j] & any[j])) break;
        if (j == m) return (long)i;
    }
    return -1;
}
