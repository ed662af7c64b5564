// A cursor that helpers move along a row of text, whose end is in another name's row; a comma in front of a call. want: parallel
// chain: fission@loop:i,parallelize@C
// lacks: \(rec \+
#include <stddef.h>
#include <stdint.h>
#define FIELD 16
#pragma regraph size(n=3000) size(n=1) size(n=37) extent(out: n) input(rec: uniform(42, 58))
struct range { uint32_t from, to; uint8_t step, ok; };
static int number(const char **s, const char *end, unsigned most, unsigned *v)
{
    const char *p = *s;
    unsigned x = 0;
    int digits = 0;
    while (p < end && *p >= '0' && *p <= '9' && digits < 3) {
        x = x * 10 + (unsigned)(*p++ - '0');
        digits++;
    }
    if (digits == 0 || x > most) return 0;
    *s = p;
    *v = x;
    return 1;
}

static int parse(const char *s, struct range *r)
{
    const char *end = s + FIELD;
    unsigned v, step = 1;
    uint32_t all = 0;
    for (int i = 0; i < 2; i++) {
        if (!number(&s, end, 999, &v)) return 0;
        all = all * 1000 + v;
        if (i < 1 && (s >= end || *s++ == ':')) return 0;
    }
    if (s < end && *s == '/' && (++s, !number(&s, end, 99, &step))) return 0;
    r->from = all / 1000;
    r->to = all % 1000;
    r->step = (uint8_t)step;
    r->ok = (uint8_t)(end - s);
    return 1;
}

size_t parse_ranges(const char (*rec)[FIELD], size_t n, struct range *out)
{
    size_t bad = 0;
    for (size_t i = 0; i < n; i++)
        if (!parse(rec[i], &out[i])) {
            out[i] = (struct range){0, 0, 0, 0};
            bad++;
        }
    return bad;
}
