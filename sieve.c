#include <string.h>
int sieve(int n, char *comp)
{
    int count = 0;
    memset(comp, 0, n + 1);
    for (int i = 2; i * i <= n; i++)
        if (!comp[i])
            for (int j = i * i; j <= n; j += i) comp[j] = 1;
    for (int i = 2; i <= n; i++) if (!comp[i]) count++;
    return count;
}
