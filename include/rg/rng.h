/* xoshiro256** (Blackman, Vigna 2018): deterministic everywhere, one owner a generator. */
#ifndef RG_RNG_H
#define RG_RNG_H
#include <rg/decls.h>
#include <stdint.h>

RG_BEGIN_DECLS

struct rg_rng {
    uint64_t s[4];
};

void rg_rng_seed(struct rg_rng *r, uint64_t seed);
uint64_t rg_rng_u64(struct rg_rng *r);
double rg_rng_unit(struct rg_rng *r);                    /* [0,1), 53 bits */
uint64_t rg_rng_below(struct rg_rng *r, uint64_t bound); /* [0,bound), unbiased; bound > 0 */
RG_END_DECLS
#endif
