#include <rg/hash.h>
#include <rg/rng.h>

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void rg_rng_seed(struct rg_rng *r, uint64_t seed)
{
    /* each word a bijection of a distinct counter: never all zero */
    for (int i = 0; i < 4; i++) r->s[i] = rg_mix64(seed + (uint64_t)i * 0x9e3779b97f4a7c15u);
}

uint64_t rg_rng_u64(struct rg_rng *r)
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

double rg_rng_unit(struct rg_rng *r)
{
    return (double)(rg_rng_u64(r) >> 11) * 0x1p-53;
}

uint64_t rg_rng_below(struct rg_rng *r, uint64_t bound)
{
    uint64_t reject = -bound % bound; /* values below this would favour small results */
    for (;;) {
        uint64_t x = rg_rng_u64(r);
        if (x >= reject) return x % bound;
    }
}
