// A helper that keeps count of its calls, in a variable of its own: its value is not all that it does. want: sequential
// lacks: static __device__ inline int nth
// chain: sequential@C
#include <string.h>
static int nth(int x, int again)
{
    static int calls;
    const char *word = "abc";
    calls = again ? calls + 1 : 0;
    return calls + x + (int)strlen(word);
}

#pragma regraph size(n=3000) size(n=1) size(n=37) extent(a: n) extent(o: n)
void count(const int *restrict a, int n, int *restrict o)
{
    for (int i = 0; i < n; i++) o[i] = nth(a[i], i > 0);
}
