/* "gpus" and "accuracy" of a device file. What decides whether measurements are skipped is read strictly: nothing
 * unknown, nothing missing, nothing that contradicts itself. */
#include "runtime/sim/model/device_file_json.h"
#include <jansson.h>
#include <string.h>

struct reader {
    const char *file;
    struct rg_error *err;
    int look; /* being read, from 1; 0: none */
};

static enum rg_status bad(const struct reader *r, const char *key, const char *what)
{
    if (!r->look) return rg_error_at(r->err, RG_INPUT, r->file, 0, 0, "\"%s\" %s", key, what);
    return rg_error_at(r->err, RG_INPUT, r->file, 0, 0, "\"accuracy\", look %d of \"unseen\": \"%s\" %s", r->look, key,
                       what);
}

static enum rg_status known_members(const struct reader *r, const json_t *o, const char *const *names)
{
    const char *key;
    json_t *v;
    json_object_foreach((json_t *)o, key, v)
    {
        bool known = false;
        for (const char *const *n = names; *n; n++) known = known || !strcmp(*n, key);
        if (!known) return bad(r, key, "is no member that is known here");
    }
    return RG_OK;
}

static enum rg_status real(const struct reader *r, const json_t *o, const char *key, double lo, double hi,
                           const char *what, double *out)
{
    const json_t *v = json_object_get(o, key);
    *out = json_is_number(v) ? json_number_value(v) : lo - 1;
    return *out >= lo && *out <= hi ? RG_OK : bad(r, key, what);
}

static enum rg_status whole(const struct reader *r, const json_t *o, const char *key, int lo, int hi, const char *what,
                            int *out)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_integer(v) || json_integer_value(v) < lo || json_integer_value(v) > hi) return bad(r, key, what);
    *out = (int)json_integer_value(v);
    return RG_OK;
}

/* 2026-11-21 */
static enum rg_status date(const struct reader *r, const json_t *o, char out[11])
{
    const char *s = json_string_value(json_object_get(o, "when"));
    bool ok = s && strlen(s) == 10;
    for (int i = 0; ok && i < 10; i++) ok = i == 4 || i == 7 ? s[i] == '-' : s[i] >= '0' && s[i] <= '9';
    if (!ok) return bad(r, "when", "must be the day of the measurement, such as \"2026-11-21\"");
    memcpy(out, s, 11);
    return RG_OK;
}

static enum rg_status look(const struct reader *r, const json_t *o, struct rg_look *l)
{
    static const char *const names[] = {"when", "problems",     "spearman_median", "spearman_worst", "pairs",
                                        "top3", "regret_small", "regret_worst",    "within",         NULL};
    static const char rank[] = "must be a number from -1 to 1", share[] = "must be a share from 0 to 1",
                      count[] = "must be a number of problems, at most \"problems\"";
    if (!json_is_object(o)) return bad(r, "unseen", "must hold objects");
    enum rg_status s = known_members(r, o, names);
    if (!s) s = date(r, o, l->when);
    if (!s) s = whole(r, o, "problems", 1, 100000, "must be a whole number from 1 to 100000", &l->problems);
    if (!s) s = real(r, o, "spearman_median", -1, 1, rank, &l->spearman_median);
    if (!s) s = real(r, o, "spearman_worst", -1, 1, rank, &l->spearman_worst);
    if (!s) s = real(r, o, "pairs", 0, 1, share, &l->pairs);
    if (!s) s = whole(r, o, "top3", 0, l->problems, count, &l->top3);
    if (!s) s = whole(r, o, "regret_small", 0, l->problems, count, &l->regret_small);
    if (!s) s = real(r, o, "regret_worst", 1, 1e30, "must be a number from 1 on", &l->regret_worst);
    if (!s) s = real(r, o, "within", 0, 1, share, &l->within);
    if (!s && l->spearman_worst > l->spearman_median) s = bad(r, "spearman_worst", "is above \"spearman_median\"");
    if (!s && (l->regret_worst <= 1.15) != (l->regret_small == l->problems))
        s = bad(r, "regret_small", "contradicts \"regret_worst\": it counts the problems of at most 1.15");
    return s;
}

static enum rg_status accuracy(struct reader *r, const json_t *o, struct rg_accuracy *out)
{
    static const char *const names[] = {"where", "unseen", NULL};
    if (!json_is_object(o)) return bad(r, "accuracy", "must be an object");
    enum rg_status s = known_members(r, o, names);
    const char *where = json_string_value(json_object_get(o, "where"));
    const json_t *list = json_object_get(o, "unseen");
    if (!s && (!where || !*where))
        s = bad(r, "accuracy", "needs \"where\": on what, with what and in which file it was measured");
    if (!s && (!json_is_array(list) || !json_array_size(list) || json_array_size(list) > RG_MAX_LOOKS))
        s = bad(r, "accuracy", "needs \"unseen\": a list of 1 to 8 looks at problems never seen before");
    for (size_t i = 0; !s && i < json_array_size(list); i++) {
        r->look = (int)i + 1;
        s = look(r, json_array_get(list, i), &out->looks[out->n++]);
    }
    return s;
}

enum rg_status rg__sim_accuracy_read(const json_t *o, const char *file, struct sim_model *m, struct rg_error *err)
{
    struct reader r = {file, err, 0};
    const json_t *gpus = json_object_get(o, "gpus"), *a = json_object_get(o, "accuracy");
    if (gpus && (!json_is_array(gpus) || json_array_size(gpus) > SIM_MAX_GPUS))
        return bad(&r, "gpus", "must be a list of at most 8 names");
    for (size_t i = 0; i < json_array_size(gpus); i++) {
        const char *name = json_string_value(json_array_get(gpus, i));
        if (!name || !*name || strlen(name) >= sizeof m->gpus[0])
            return bad(&r, "gpus", "must hold names as the driver tells them, of at most 63 characters");
        strcpy(m->gpus[m->n_gpus++], name);
    }
    return a ? accuracy(&r, a, &m->accuracy) : RG_OK;
}
