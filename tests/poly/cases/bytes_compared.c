// Places of a pattern, and records of equal names, by memcmp and strncmp: loops to the first difference. want: parallel
// chain: parallelize@C
// lacks: rg_memcmp
#include <string.h>
#pragma regraph size(n=900,m=2) size(n=9,m=3)
int bytes_compared(const char *text, int n, const char *pat, int m, int *count, int *sign)
{
    int k = 0;
    for (int i = 0; i + m <= n; i++) {
        if (memcmp(text + i, pat, m) == 0) k++;
        sign[i] = strncmp(&text[i], pat, (size_t)m) < 0;
    }
    *count = k;
    return k > 0;
}
