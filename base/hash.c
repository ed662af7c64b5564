#include <openssl/evp.h>
#include <rg/buf.h>
#include <rg/hash.h>
#include <stdlib.h>
#include <string.h>

struct rg_sha256 {
    EVP_MD_CTX *ctx;
};

static void hex(const unsigned char *d, char out[65])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 32; i++) {
        out[2 * i] = digits[d[i] >> 4];
        out[2 * i + 1] = digits[d[i] & 15];
    }
    out[64] = 0;
}

struct rg_sha256 *rg_sha256_new(void)
{
    struct rg_sha256 *h = rg_xmalloc(sizeof *h);
    h->ctx = EVP_MD_CTX_new();
    if (!h->ctx || EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL) != 1) abort();
    return h;
}

void rg_sha256_add(struct rg_sha256 *h, const void *data, size_t n)
{
    if (EVP_DigestUpdate(h->ctx, data, n) != 1) abort();
}

void rg_sha256_end(struct rg_sha256 *h, char out[65])
{
    unsigned char d[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (EVP_DigestFinal_ex(h->ctx, d, &n) != 1) abort();
    EVP_MD_CTX_free(h->ctx);
    free(h);
    hex(d, out);
}

void rg_sha256_hex(const void *data, size_t n, char out[65])
{
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, data, n);
    rg_sha256_end(h, out);
}

uint64_t rg_mix64(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t word(const unsigned char *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v; /* little-endian hosts only: CUDA's too */
}

uint64_t rg_hash64(const void *data, size_t n, uint64_t seed)
{
    const unsigned char *p = data;
    /* four independent lanes, so that long buffers hash at memory speed */
    uint64_t h[4] = {rg_mix64(seed), rg_mix64(seed + 1), rg_mix64(seed + 2), rg_mix64(seed + 3)};
    size_t left = n;
    for (; left >= 32; left -= 32, p += 32)
        for (int i = 0; i < 4; i++) {
            h[i] = (h[i] ^ word(p + 8 * i)) * 0x9fb21c651e98df25u;
            h[i] ^= h[i] >> 32;
        }
    uint64_t r = n;
    for (int i = 0; i < 4; i++) r = rg_mix64(r ^ h[i]);
    for (; left >= 8; left -= 8, p += 8) r = rg_mix64(r ^ word(p));
    if (left) {
        unsigned char tail[8] = {0};
        memcpy(tail, p, left);
        r = rg_mix64(r ^ word(tail));
    }
    return r;
}
