/* Names of compilers and C libraries for what CUDA calls otherwise. */
#include "ir/ctree_util.h"
#include "ir/device_library.h"
#include <string.h>

enum { BUILTIN = 1 }; /* behind __builtin_ alone: a plain `clz` is somebody's own */
static const struct {
    const char *name, *device;
    int where;
} names[] = {
    {"popcount", "__popc", BUILTIN},
    {"popcountl", "__popcll", BUILTIN},
    {"popcountll", "__popcll", BUILTIN},
    {"clz", "__clz", BUILTIN},
    {"clzl", "__clzll", BUILTIN},
    {"clzll", "__clzll", BUILTIN},
    {"ctz", "rg_ctz", BUILTIN},
    {"ctzl", "rg_ctzll", BUILTIN},
    {"ctzll", "rg_ctzll", BUILTIN},
    {"parity", "rg_parity", BUILTIN},
    {"parityl", "rg_parityll", BUILTIN},
    {"parityll", "rg_parityll", BUILTIN},
    {"clrsb", "rg_clrsb", BUILTIN},
    {"clrsbl", "rg_clrsbll", BUILTIN},
    {"clrsbll", "rg_clrsbll", BUILTIN},
    {"bswap16", "rg_bswap16", BUILTIN},
    {"bswap32", "rg_bswap32", BUILTIN},
    {"bswap64", "rg_bswap64", BUILTIN},
    {"isinf_sign", "rg_isinf_sign", BUILTIN},
    {"isnormal", "rg_isnormal", BUILTIN},
    {"islessgreater", "rg_islessgreater", BUILTIN},
    {"inf", "rg_inf", BUILTIN},
    {"inff", "rg_inff", BUILTIN},
    {"infl", "rg_inf", BUILTIN},
    {"huge_val", "rg_inf", BUILTIN},
    {"huge_valf", "rg_inff", BUILTIN},
    {"huge_vall", "rg_inf", BUILTIN},
    {"ffs", "__ffs", 0},
    {"ffsl", "__ffsll", 0},
    {"ffsll", "__ffsll", 0},
    {"__bswap_16", "rg_bswap16", 0},
    {"__bswap_32", "rg_bswap32", 0},
    {"__bswap_64", "rg_bswap64", 0},
    {"htons", "rg_bswap16", 0},
    {"ntohs", "rg_bswap16", 0},
    {"htonl", "rg_bswap32", 0},
    {"ntohl", "rg_bswap32", 0},
    /* glibc's macros for old compilers (unit.c) */
    {"__isnanf", "isnan", 0},
    {"__isnan", "isnan", 0},
    {"__isnanl", "isnan", 0},
    {"isnanf", "isnan", 0},
    {"__isinff", "rg_isinf_sign", 0},
    {"__isinf", "rg_isinf_sign", 0},
    {"__isinfl", "rg_isinf_sign", 0},
    {"isinff", "rg_isinf_sign", 0},
    {"__finitef", "isfinite", 0},
    {"__finite", "isfinite", 0},
    {"__finitel", "isfinite", 0},
    {"finite", "isfinite", 0},
    {"finitef", "isfinite", 0},
    {"__signbitf", "signbit", 0},
    {"__signbit", "signbit", 0},
    {"signbitf", "signbit", BUILTIN},
    {"signbitl", "signbit", BUILTIN},
    {"__signbitl", "signbit", 0},
    {"__fpclassifyf", "rg_fpclassify", 0},
    {"__fpclassify", "rg_fpclassify", 0},
    {"__fpclassifyl", "rg_fpclassify", 0},
    {"drem", "remainder", 0},
    {"dremf", "remainderf", 0},
    {"pow10", "exp10", 0},
    {"pow10f", "exp10f", 0},
    {"gamma", "lgamma", 0},
};

static const char *listed(const char *name, bool builtin)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i].name) && (builtin || !names[i].where)) return names[i].device;
    return NULL;
}

const char *rg__device_name(const char *name, struct rg_arena *a)
{
    bool builtin = !strncmp(name, "__builtin_", 10);
    const char *bare = builtin ? name + 10 : name, *device = listed(bare, builtin);
    if (device) return device;
    if (rg__device_has_library(bare)) return rg_arena_printf(a, "rg_%s", bare);
    size_t n = strlen(bare);
    if (n > 3 && bare[n - 1] == 'l' && rg__c_pure_library(bare)) { /* long double is double here: sqrtl, but not ceil */
        const char *shorter = rg_arena_strndup(a, bare, n - 1);
        if (rg__c_pure_library(shorter)) return shorter;
    }
    return builtin && rg__c_pure_library(bare) ? bare : name;
}
