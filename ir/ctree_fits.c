/* A tree read from a file beside a problem: do they speak of the same parameters and structs? */
#include "ir/ctree_util.h"
#include <string.h>

struct fitting {
    const struct rg_problem *p;
    const struct rg_carray *array; /* whose extents are looked at */
    struct rg_error *err;
    enum rg_status status;
};

static enum rg_status misfit(struct fitting *f, const char *name, const char *what)
{
    if (f->status == RG_OK)
        f->status = rg_error_set(f->err, RG_INPUT, "the tree does not fit the problem: '%.80s' %s", name, what);
    return f->status;
}

static void check_struct(struct fitting *f, const char *name, int struct_index)
{
    if (struct_index >= f->p->n_structs) misfit(f, name, "is of a struct that the problem lacks");
}

static void check_param(struct fitting *f, const char *name, int param, enum rg_param_kind kind, enum rg_scalar type,
                        int struct_index)
{
    check_struct(f, name, struct_index);
    if (param < 0) return;
    if (param >= f->p->n_params) {
        misfit(f, name, "stands for a parameter that the problem lacks");
        return;
    }
    const struct rg_param *q = &f->p->params[param];
    if (q->kind != kind || q->elem != type || (type == RG_STRUCT && q->struct_index != struct_index))
        misfit(f, name, "differs in type from its parameter");
}

static void extent_name(void *arg, const char *name)
{
    struct fitting *f = arg;
    int i = rg_problem_param(f->p, name);
    if (i < 0 || f->p->params[i].kind != RG_PARAM_SCALAR || rg_scalar_is_real(f->p->params[i].elem) ||
        f->p->params[i].elem == RG_STRUCT)
        misfit(f, f->array->name, "has an extent that is not over integer scalar parameters");
}

static void check_nodes(struct fitting *f, const struct rg_cnode *n)
{
    if (!n || f->status != RG_OK) return;
    check_struct(f, n->text ? n->text : "a node", n->struct_index);
    for (int i = 0; i < n->n; i++) check_nodes(f, n->kid[i]);
}

enum rg_status rg_ctree_fits(const struct rg_ctree *t, const struct rg_problem *p, struct rg_error *err)
{
    struct fitting f = {.p = p, .err = err, .status = RG_OK};
    for (int i = 0; i < t->n_vars; i++)
        check_param(&f, t->vars[i].name, t->vars[i].param, RG_PARAM_SCALAR, t->vars[i].type, t->vars[i].struct_index);
    for (int i = 0; i < t->n_arrays; i++) {
        const struct rg_carray *a = f.array = &t->arrays[i];
        check_param(&f, a->name, a->param, RG_PARAM_ARRAY, a->elem, a->struct_index);
        for (int d = 0; d < a->n_dims; d++)
            if (a->dims[d]) rg_expr_names(a->dims[d], extent_name, &f);
    }
    if (t->result_array >= 0) {
        const struct rg_carray *a = &t->arrays[t->result_array];
        if (a->param < 0 || a->param >= p->n_params || p->params[a->param].origin != RG_ORIGIN_RESULT)
            misfit(&f, a->name, "is no result of the problem");
    }
    check_nodes(&f, t->root);
    return f.status;
}
