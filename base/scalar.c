#include <rg/scalar.h>
#include <string.h>

static const struct {
    const char *c;
    unsigned char bytes;
    bool real, sign;
} scalars[RG_N_SCALARS] = {
#define X(name, spelling, bytes, real, sign) {spelling, bytes, real, sign},
    RG_SCALAR_MAP(X)
#undef X
};

const char *rg_scalar_c(enum rg_scalar s)
{
    return (unsigned)s < RG_N_SCALARS ? scalars[s].c : "void";
}

const char *rg_scalar_cuda(enum rg_scalar s)
{
    return s == RG_BOOL ? "bool" : s == RG_F16 ? "__half" : rg_scalar_c(s);
}

size_t rg_scalar_bytes(enum rg_scalar s)
{
    return (unsigned)s < RG_N_SCALARS ? scalars[s].bytes : 0;
}

double rg_scalar_epsilon(enum rg_scalar t)
{
    return t == RG_F16 ? 0x1p-11 : t == RG_F32 ? 0x1p-24 : 0x1p-53;
}

bool rg_scalar_is_real(enum rg_scalar s)
{
    return (unsigned)s < RG_N_SCALARS && scalars[s].real;
}

bool rg_scalar_is_signed(enum rg_scalar s)
{
    return (unsigned)s < RG_N_SCALARS && scalars[s].sign;
}

/* One-word synonyms; LP64, the only data model CUDA has on Linux. */
static const struct {
    const char *word;
    enum rg_scalar s;
} synonyms[] = {
    {"_Bool", RG_BOOL},      {"bool", RG_BOOL},      {"int8_t", RG_I8},        {"uint8_t", RG_U8},
    {"int16_t", RG_I16},     {"uint16_t", RG_U16},   {"int32_t", RG_I32},      {"uint32_t", RG_U32},
    {"int64_t", RG_LONG},    {"uint64_t", RG_ULONG}, {"size_t", RG_ULONG},     {"ssize_t", RG_LONG},
    {"ptrdiff_t", RG_LONG},  {"intptr_t", RG_LONG},  {"uintptr_t", RG_ULONG},  {"intmax_t", RG_LONG},
    {"uintmax_t", RG_ULONG}, {"off_t", RG_LONG},     {"uint", RG_U32},         {"ushort", RG_U16},
    {"ulong", RG_ULONG},     {"u_char", RG_U8},      {"u_int", RG_U32},        {"wchar_t", RG_I32},
    {"float", RG_F32},       {"_Float32", RG_F32},   {"_Float64", RG_F64},     {"_Float16", RG_F16},
    {"__fp16", RG_F16},      {"__half", RG_F16},     {"half", RG_F16},         {"__int8_t", RG_I8},
    {"__uint8_t", RG_U8},    {"__int16_t", RG_I16},  {"__uint16_t", RG_U16},   {"__int32_t", RG_I32},
    {"__uint32_t", RG_U32},  {"__int64_t", RG_LONG}, {"__uint64_t", RG_ULONG},
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Counts of C's own type words, which may come in any order. */
struct counts {
    int is_signed, is_unsigned, is_long, is_short, is_char, is_int, is_double, words;
};

static bool count_word(struct counts *n, const char *w, size_t len)
{
    static const struct {
        const char *word;
        size_t at;
    } words[] = {
        {"signed", offsetof(struct counts, is_signed)},   {"__signed__", offsetof(struct counts, is_signed)},
        {"__signed", offsetof(struct counts, is_signed)}, {"unsigned", offsetof(struct counts, is_unsigned)},
        {"long", offsetof(struct counts, is_long)},       {"short", offsetof(struct counts, is_short)},
        {"char", offsetof(struct counts, is_char)},       {"int", offsetof(struct counts, is_int)},
        {"double", offsetof(struct counts, is_double)},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == len && !memcmp(words[i].word, w, len)) {
            ++*(int *)((char *)n + words[i].at);
            n->words++;
            return true;
        }
    return false;
}

static bool qualifier(const char *w, size_t len)
{
    static const char *const q[] = {"const", "volatile", "register", "__const", "__volatile__"};
    for (size_t i = 0; i < sizeof q / sizeof *q; i++)
        if (strlen(q[i]) == len && !memcmp(q[i], w, len)) return true;
    return false;
}

static bool resolve(const struct counts *n, enum rg_scalar *out)
{
    if (n->is_signed > 1 || n->is_unsigned > 1 || n->is_signed + n->is_unsigned > 1 || n->is_long > 2 ||
        n->is_short > 1 || n->is_char > 1 || n->is_int > 1 || n->is_double > 1)
        return false;
    bool sign_word = n->is_signed || n->is_unsigned;
    if (n->is_double) {
        *out = RG_F64;
        return n->words == 1; /* long double: no device has it */
    }
    if (n->is_char) {
        *out = n->is_unsigned ? RG_U8 : n->is_signed ? RG_I8 : RG_CHAR;
        return n->words == 1 + sign_word;
    }
    if (n->is_short) {
        *out = n->is_unsigned ? RG_U16 : RG_I16;
        return !n->is_long;
    }
    if (n->is_long == 2)
        *out = n->is_unsigned ? RG_ULLONG : RG_LLONG;
    else if (n->is_long == 1)
        *out = n->is_unsigned ? RG_ULONG : RG_LONG;
    else
        *out = n->is_unsigned ? RG_U32 : RG_I32;
    return n->words > 0;
}

bool rg_scalar_parse(const char *words, enum rg_scalar *out)
{
    struct counts n = {0};
    bool named = false;
    enum rg_scalar s = RG_I32;
    for (const char *p = words; *p;) {
        if (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') {
            p++;
            continue;
        }
        const char *w = p;
        while (is_word(*p)) p++;
        size_t len = (size_t)(p - w);
        if (!len) return false;
        if (qualifier(w, len) || count_word(&n, w, len)) continue;
        if (named) return false;
        for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
            if (strlen(synonyms[i].word) == len && !memcmp(synonyms[i].word, w, len)) {
                named = true;
                s = synonyms[i].s;
            }
        if (!named) return false;
    }
    if (named) {
        if (n.words) return false;
        *out = s;
        return true;
    }
    return resolve(&n, out);
}
