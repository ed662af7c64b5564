/* Rules that the loader and the edits share. */
#include "regraph/internal.h"

#include <math.h>
#include <string.h>

bool rg__id_ok(const char *id)
{
    /* No blank, comma, @, {, }: a chain is written "parallelize,tile.shared@A{TILE=32}". */
    size_t n = strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    bool letter = (id[0] >= 'a' && id[0] <= 'z') || (id[0] >= 'A' && id[0] <= 'Z');
    return letter && id[n] == '\0' && n <= 64;
}

bool rg__utf8_ok(const char *text)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
        if (!n) return false;
        for (int i = 1; i < n; i++)
            if ((s[i] & 0xC0) != 0x80) return false;
        /* overlong forms, surrogates, beyond U+10FFFF */
        if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF0 && s[1] < 0x90) ||
            (s[0] == 0xF4 && s[1] > 0x8F))
            return false;
        s += n;
    }
    return true;
}

bool rg__date_ok(const char *s)
{
    for (int i = 0; i < 10; i++)
        if (i == 4 || i == 7 ? s[i] != '-' : s[i] < '0' || s[i] > '9') return false;
    int month = (s[5] - '0') * 10 + s[6] - '0', day = (s[8] - '0') * 10 + s[9] - '0';
    return s[10] == '\0' && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

const char *rg__opinion_fault(double prior, double confidence)
{
    if (!(prior >= 0 && prior <= 1)) return "\"prior\" must lie between 0 and 1";
    if (!(confidence >= 0 && confidence <= 1e6)) return "\"confidence\" must lie between 0 and 1000000";
    return NULL;
}

struct names {
    const struct rg_tunables *t;
    const char *unknown;
};

static void check_name(void *arg, const char *name)
{
    struct names *n = arg;
    if (!n->unknown && rg_tunables_find(n->t, name) < 0) n->unknown = name;
}

enum rg_status rg__tunables_check(const struct rg_tunables *t, struct rg_error *err)
{
    for (int i = 0; i < t->n_constraints; i++) {
        struct names n = {t, NULL};
        rg_expr_names(t->constraints[i], check_name, &n);
        if (n.unknown)
            return rg_error_set(err, RG_INPUT, "\"require\" names '%s', which is no tunable of this step", n.unknown);
    }
    struct rg_vector v;
    rg_tunables_default(t, &v);
    if (!rg_tunables_allow(t, &v))
        return rg_error_set(err, RG_INPUT,
                            "the first values of \"tunables\" (where tuning starts) break a constraint of \"require\"");
    return RG_OK;
}
