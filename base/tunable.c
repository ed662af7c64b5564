#include <rg/tunable.h>
#include <string.h>

void rg_tunables_default(const struct rg_tunables *t, struct rg_vector *out)
{
    memset(out, 0, sizeof *out);
    out->n = t->n < RG_MAX_TUNABLES ? t->n : RG_MAX_TUNABLES;
    for (int i = 0; i < out->n; i++) out->values[i] = t->items[i].start;
}

struct known {
    const struct rg_tunables *t;
    const struct rg_vector *v;
    bool all;
};

static int lookup(void *arg, const char *name, int64_t *value)
{
    const struct known *k = arg;
    int i = rg_tunables_find(k->t, name);
    if (i < 0 || i >= k->v->n) return 0;
    *value = k->v->values[i];
    return 1;
}

static void note_unknown(void *arg, const char *name)
{
    struct known *k = arg;
    int64_t ignored;
    if (!lookup(k, name, &ignored)) k->all = false;
}

bool rg_tunables_allow(const struct rg_tunables *t, const struct rg_vector *v)
{
    if (v->n != t->n || v->n > RG_MAX_TUNABLES) return false;
    for (int i = 0; i < t->n; i++) {
        bool in = false;
        for (int j = 0; j < t->items[i].n_values; j++) in |= t->items[i].values[j] == v->values[i];
        if (!in) return false;
    }
    struct known k = {t, v, true};
    struct rg_expr_env env = {.arg = &k, .name = lookup};
    for (int i = 0; i < t->n_constraints; i++) {
        /* One that asks for a problem parameter can't be decided here: the coder's instantiate does. */
        k.all = true;
        rg_expr_names(t->constraints[i], note_unknown, &k);
        if (!k.all) continue;
        int64_t holds = 0;
        if (rg_expr_eval(t->constraints[i], &env, &holds, NULL) != RG_OK || !holds) return false;
    }
    return true;
}

bool rg_vector_equal(const struct rg_vector *a, const struct rg_vector *b)
{
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n && i < RG_MAX_TUNABLES; i++)
        if (a->values[i] != b->values[i]) return false;
    return true;
}

void rg_vector_print(struct rg_buf *out, const struct rg_tunables *t, const struct rg_vector *v)
{
    for (int i = 0; i < t->n && i < v->n; i++)
        rg_buf_printf(out, "%s%s=%lld", i ? "," : "", t->items[i].name, (long long)v->values[i]);
}

int rg_tunables_find(const struct rg_tunables *t, const char *name)
{
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->items[i].name, name)) return i;
    return -1;
}

bool rg_tunable_has(const struct rg_tunable *t, int64_t value)
{
    for (int k = 0; k < t->n_values; k++)
        if (t->values[k] == value) return true;
    return false;
}
