// Sizes of letters and of comparisons in text that the device takes as it is are those of C. want: parallel
#pragma regraph extent(a: n) extent(out: n) size(n=2000) input(a: uniform(1, 125))
#include <string.h>
static int letters(int c)
{
    static const char *const words[3] = {"one", "two", "three"};
    const char *s = words[c % 3];
    int n = (int)sizeof('a') * 100 + (int)sizeof(c == 1) * 10 + (int)sizeof !c;
    while (*s) n = n * 31 + *s++;
    return n + (int)strlen(c & 1 ? "xx" : "yyy");
}
void helper_sizes(const int *a, int *out, int n)
{
    for (int i = 0; i < n; i++) out[i] = letters(a[i]);
}
