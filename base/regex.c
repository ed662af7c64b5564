#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <rg/buf.h>
#include <rg/regex.h>
#include <stdlib.h>

struct rg_regex {
    pcre2_code *code;
    pcre2_match_context *limits;
};

enum rg_status rg_regex_new(const char *pattern, int flags, struct rg_regex **out, struct rg_error *err)
{
    *out = NULL;
    int code_error;
    PCRE2_SIZE at;
    uint32_t o = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF;
    if (flags & RG_REGEX_MULTILINE) o |= PCRE2_MULTILINE;
    if (flags & RG_REGEX_DOTALL) o |= PCRE2_DOTALL;
    if (flags & RG_REGEX_CASELESS) o |= PCRE2_CASELESS;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, o, &code_error, &at, NULL);
    if (!code) {
        PCRE2_UCHAR text[160];
        pcre2_get_error_message(code_error, text, sizeof text);
        return rg_error_set(err, RG_INPUT, "bad pattern '%s' at offset %zu: %s", pattern, (size_t)at, (char *)text);
    }
    struct rg_regex *r = rg_xmalloc(sizeof *r);
    r->code = code;
    r->limits = pcre2_match_context_create(NULL);
    if (!r->limits) {
        pcre2_code_free(code);
        free(r);
        return rg_error_set(err, RG_NOMEM, "out of memory");
    }
    pcre2_set_match_limit(r->limits, 1000000);
    pcre2_set_depth_limit(r->limits, 10000);
    pcre2_set_heap_limit(r->limits, 65536); /* KiB */
    *out = r;
    return RG_OK;
}

void rg_regex_free(struct rg_regex *r)
{
    if (!r) return;
    pcre2_match_context_free(r->limits);
    pcre2_code_free(r->code);
    free(r);
}

bool rg_regex_find(const struct rg_regex *r, const char *text, size_t len, size_t from, struct rg_match *groups, int n)
{
    if (from > len) return false;
    pcre2_match_data *m = pcre2_match_data_create_from_pattern(r->code, NULL);
    if (!m) return false;
    int got = pcre2_match(r->code, (PCRE2_SPTR)text, len, from, 0, m, r->limits);
    if (got > 0) {
        const PCRE2_SIZE *v = pcre2_get_ovector_pointer(m);
        for (int i = 0; i < n; i++) {
            groups[i].start = i < got ? v[2 * i] : (size_t)-1;
            groups[i].end = i < got ? v[2 * i + 1] : (size_t)-1;
        }
    }
    pcre2_match_data_free(m);
    return got > 0;
}

int rg_regex_count(const struct rg_regex *r, const char *text, size_t len)
{
    int count = 0;
    struct rg_match m;
    for (size_t at = 0; rg_regex_find(r, text, len, at, &m, 1); count++) at = m.end > m.start ? m.end : m.end + 1;
    return count;
}
