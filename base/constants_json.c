#include "base/constants_json.h"
#include <string.h>

json_t *rg__constants_save(const struct rg_problem *p)
{
    json_t *all = json_object();
    for (int i = 0; i < p->n_constants; i++)
        json_object_set_new(all, p->constants[i].name, json_integer(p->constants[i].value));
    return all;
}

/* The names are written into code. */
static bool is_identifier(const char *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return *s && !s[strspn(s, letters)] && !(*s >= '0' && *s <= '9');
}

enum rg_status rg__constants_load(struct rg_problem *p, const json_t *problem, struct rg_error *err)
{
    json_t *all = json_object_get(problem, "constants"), *v;
    const char *name;
    if (!all) return RG_OK;
    if (!json_is_object(all)) return rg_error_set(err, RG_INPUT, "constants: must be an object");
    p->constants = rg_arena_alloc(&p->arena, (json_object_size(all) + 1) * sizeof *p->constants);
    json_object_foreach(all, name, v)
    {
        if (!is_identifier(name) || !json_is_integer(v))
            return rg_error_set(err, RG_INPUT, "constants: each is a name and an integer");
        p->constants[p->n_constants++] =
            (struct rg_constant){rg_arena_strdup(&p->arena, name), (int64_t)json_integer_value(v)};
    }
    return RG_OK;
}
