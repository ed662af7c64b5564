// Linear recurrences modulo a number: rolling hashes, a congruential generator, factorials, prefix hashes; signs that are asked. want: parallel
#include <stdint.h>
#pragma regraph size(n=30000, seed=12345) size(n=131, seed=1) size(n=2, seed=4294967295) size(n=1, seed=7) extent(s: n) extent(u: n) extent(f: n + 1) extent(h: n + 1) extent(r: n) input(s: uniform(97, 122)) input(u: uniform(0, 4000000000))
#define MOD 1000000007
uint64_t modular_recurrences(int n, uint32_t seed, const char *s, const uint32_t *u, long long *f, unsigned *h, double *r)
{
    uint64_t hash = 5381;
    for (int i = 0; i < n; i++) hash = (hash * 131 + u[i]) % MOD;
    uint32_t x = seed;
    for (int i = 0; i < n; i++) {
        x = (uint32_t)((uint64_t)x * 16807 % 2147483647);
        r[i] = x / 2147483647.0;
    }
    f[0] = 1;
    for (int i = 1; i <= n; i++) f[i] = f[i - 1] * i % MOD;
    h[0] = 0;
    for (int i = 0; i < n; ++i) h[i + 1] = (unsigned)((h[i] * 31LL + (s[i] - 'a' + 1)) % 998244353);
    long long power = 1;
    for (int i = 0; i < n; i++) {
        int digit = s[i] - 96;
        power = ((power * 10) % 97 + digit) % 97;
    }
    return hash + x + (uint64_t)power;
}
