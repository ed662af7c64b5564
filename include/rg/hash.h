/* Content addresses (SHA-256 by libcrypto) and a fast 64-bit hash for tables and value checks. */
#ifndef RG_HASH_H
#define RG_HASH_H
#include <rg/decls.h>
#include <stddef.h>
#include <stdint.h>

RG_BEGIN_DECLS

/* Lower-case hex of SHA-256, 64 characters and a NUL. */
void rg_sha256_hex(const void *data, size_t n, char out[65]);

struct rg_sha256; /* streaming form */
struct rg_sha256 *rg_sha256_new(void);
void rg_sha256_add(struct rg_sha256 *h, const void *data, size_t n);
/* Finishes and frees. */
void rg_sha256_end(struct rg_sha256 *h, char out[65]);

/* Not cryptographic. Same bytes and seed, same value, on every machine. */
uint64_t rg_hash64(const void *data, size_t n, uint64_t seed);
uint64_t rg_mix64(uint64_t x); /* splitmix64's finaliser: a bijection */
RG_END_DECLS
#endif
