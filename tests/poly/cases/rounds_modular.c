// A number-theoretic transform whose factor runs along modulo a prime; places reversed by a function. want: parallel
// chain: parallelize@C
// shows: rg_mulpow\(
// lacks: one thread: loop
#include <stdint.h>
#define P 998244353u
static uint32_t power(uint32_t b, uint32_t e)
{
    uint64_t r = 1, x = b;
    for (; e; e >>= 1, x = x * x % P)
        if (e & 1) r = r * x % P;
    return (uint32_t)r;
}
static void transform(uint32_t *a, int n, uint32_t root)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) { uint32_t t = a[i]; a[i] = a[j]; a[j] = t; }
    }
    for (int len = 2; len <= n; len <<= 1) {
        uint32_t w = power(root, (P - 1) / len);
        for (int i = 0; i < n; i += len) {
            uint64_t c = 1;
            for (int j = 0; j < len / 2; j++) {
                uint32_t u = a[i + j], v = (uint32_t)(a[i + j + len / 2] * c % P);
                a[i + j] = u + v < P ? u + v : u + v - P;
                a[i + j + len / 2] = u >= v ? u - v : u + P - v;
                c = c * w % P;
            }
        }
    }
}
#pragma regraph size(n=1024) size(n=8) size(n=2) input(a: uniform(0, 998244352))
void rounds_modular(uint32_t *a, int n)
{
    transform(a, n, 3);
}
