/* The shim: C text behind the user's preprocessed file, through which the runtime calls the function without knowing
 * its types. What it exports (the runtime dlopens the result of `cc -O3 -march=native -shared -fPIC CFLAGS -x c`):
 *
 *   struct rg_shim_field { const char *path; int type; long offset; long count; };
 *   struct rg_shim_param { const char *name; int kind; int type; long elem_bytes; int n_fields;
 *                          const struct rg_shim_field *fields; };
 *   const struct rg_shim_param rg_shim_params[];   one a parameter, in the problem's order
 *   const int rg_shim_n_params;
 *   void rg_shim_in(void **a);      file-scope variables set from their buffers; not timed
 *   void rg_shim_call(void **a);    the function, once
 *   void rg_shim_out(void **a);     file-scope variables copied back; not timed
 *   void *rg_shim_place(int p, void **a);   where the function finds parameter p: a[p], or a file-scope array; only
 * with such arrays, and not in the oracle int rg_shim_has_init; void rg_shim_init(void **a);    the user's init
 * function, parameters matched by name
 *
 * a[p] points to parameter p's buffer: the elements of an array, the value of a scalar, one element for the result.
 * kind is enum rg_param_kind, type is enum rg_scalar as this build sees it: in the oracle build RG_F16 and RG_F32 are
 * RG_F64, and RG_F64 is RG_SHIM_LONG_DOUBLE (100) where the rewriting widened double. Offsets and sizes are this
 * build's. */
#include "frontend/emit/emit.h"
#include "frontend/emit/program.h"
#include "frontend/infer/infer.h"
#include <stdlib.h>
#include <string.h>

/* T ** and T ***, which the function takes as tables of pointers into the parameter's one block. */
static bool rows_behind_pointers(const struct rg__load *l, int param)
{
    const struct rg_param *q = &l->p->params[param];
    return q->rows && q->n_dims > 1 && l->b.origins[param].layout != RG__COLUMN &&
           (l->b.origins[param].layout != RG__PART || l->b.origins[param].pointer);
}

struct scalars {
    const struct rg__load *l;
    struct rg_arena *a;
    enum rg__shim_mode mode;
    bool wide;
};

static const char *scalar_of(void *arg, const char *name)
{
    const struct scalars *s = arg;
    int i = rg_problem_param(s->l->p, name);
    const struct rg_param *q = i >= 0 ? &s->l->p->params[i] : NULL;
    if (!q) return name;
    if (!q->derived) return rg_arena_printf(s->a, "(*(%s *)rg_a[%d])", rg__shim_type(q, s->mode, s->wide), i);
    struct rg_buf b = RG_BUF_INIT;
    rg__shim_expr(s->a, &b, q->derived, scalar_of, arg);
    const char *text = rg_arena_printf(s->a, "(%s)", b.data);
    rg_buf_release(&b);
    return text;
}

static void row_pointers(struct rg__load *l, int param, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    const struct rg_param *q = &l->p->params[param];
    struct scalars s = {l, &l->dirs.arena, mode, wide};
    rg_buf_printf(out, "static void *rg_rows_%d(void **rg_a)\n{\n    static void **rg_t;\n    long ", param);
    for (int d = 0; d < q->n_dims; d++) {
        rg_buf_printf(out, "%srg_d%d = ", d ? ", " : "", d);
        rg__shim_expr(&l->dirs.arena, out, q->dims[d], scalar_of, &s);
    }
    bool deep = q->n_dims > 2; /* a table of tables */
    rg_buf_printf(
        out,
        ";\n    long rg_n = rg_d0%s, rg_k;\n    if (rg_n < 1) rg_n = 1;\n"
        "    rg_t = __builtin_realloc(rg_t, (rg_n%s) * sizeof *rg_t);\n    if (!rg_t) __builtin_abort();\n"
        "    for (rg_k = 0; rg_k < rg_n; rg_k++) rg_t[rg_k] = (char *)rg_a[%d] + rg_k * rg_d%d * (long)sizeof(%s);\n",
        deep ? " * rg_d1" : "", deep ? " + rg_d0" : "", param, q->n_dims - 1, rg__shim_type(q, mode, wide));
    if (deep)
        rg_buf_str(out, "    for (rg_k = 0; rg_k < rg_d0; rg_k++) rg_t[rg_n + rg_k] = rg_t + rg_k * rg_d1;\n    return "
                        "rg_t + rg_n;\n}\n");
    else
        rg_buf_str(out, "    return rg_t;\n}\n");
}

/* A variable of another file that the function's own does not declare. */
static void outside(const struct rg__load *l, struct rg_buf *out)
{
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        if (!l->b.origins[i].outside || q->elem == RG_STRUCT)
            continue; /* the type of a structure came with a declaration */
        const char *d = !strncmp(q->c_decl, "extern ", 7) ? q->c_decl + 7 : q->c_decl;
        rg_buf_printf(out, "extern %.*s;\n", (int)strcspn(d, "="), d);
    }
}

/* Memory of the shim's for structures that file-scope variables lead to, whose members are parameters. */
static void tables_of(struct rg__load *l, struct rg_buf *out)
{
    const struct rg__build *b = &l->b;
    for (int k = 0; k < b->n_tables; k++) {
        const struct rg__table_at *x = &b->tables[k];
        long long n = (long long)x->count;
        if (!k) rg_buf_str(out, "static void rg_tables(void)\n{\n");
        rg_buf_printf(out, "    { static __typeof__(%2$s%3$s) rg_table[%1$lld]; ", n, x->pointers ? "**" : "*",
                      x->place);
        if (x->pointers)
            rg_buf_printf(out,
                          "static __typeof__(*%2$s) rg_to[%1$lld]; for (int rg_k = 0; rg_k < %1$lld; rg_k++) "
                          "rg_to[rg_k] = &rg_table[rg_k]; %2$s = rg_to; }\n",
                          n, x->place);
        else
            rg_buf_printf(out, "%s = rg_table; }\n", x->place);
    }
    if (b->n_tables) rg_buf_str(out, "}\n");
}

static void globals(struct rg__load *l, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    const struct rg_problem *p = l->p;
    for (int back = 0; back < 2; back++) {
        rg_buf_printf(out, "void rg_shim_%s(void **rg_a)\n{\n    (void)rg_a;\n", back ? "out" : "in");
        if (!back && l->b.n_tables) rg_buf_str(out, "    rg_tables();\n");
        for (int i = 0; i < p->n_params; i++) {
            const struct rg_param *q = &p->params[i];
            if (q->origin != RG_ORIGIN_GLOBAL || l->b.origins[i].layout == RG__FIELD ||
                l->b.origins[i].layout == RG__PART || l->b.origins[i].layout == RG__LENGTH ||
                l->b.origins[i].layout == RG__COUNT || /* the NUL says it, an end */
                l->b.origins[i].layout == RG__REACH || /* or the data */
                l->b.origins[i].layout == RG__COLUMN || (back && q->kind == RG_PARAM_SCALAR))
                continue;
            const char *name = l->b.origins[i].name, *type = rg__shim_type(q, mode, wide);
            if (back && q->c_const) continue;
            if (l->b.origins[i].layout == RG__FILE_VALUE)
                rg_buf_printf(out, back ? "    *(%2$s *)rg_a[%1$d] = %3$s;\n" : "    %3$s = *(%2$s *)rg_a[%1$d];\n", i,
                              type, name);
            else if (l->b.origins[i].layout == RG__FILE_ARRAY &&
                     q->indirect) { /* T *x[N]: what its pointers lead to is the parameter's own block */
                if (back) continue;
                rg_buf_printf(out, "    { void **rg_t = rg_rows_%d(rg_a);\n    __builtin_memcpy((void *)%s, ", i, name);
                if (q->n_dims > 2) { /* or T *x[N][M]: all of them one behind the other */
                    rg_buf_printf(out, "sizeof %s > sizeof *rg_t * (", name);
                    rg__shim_expr(&l->dirs.arena, out, q->dims[0], NULL, NULL);
                    rg_buf_str(out, ") ? rg_t[0] : (void *)");
                }
                rg_buf_printf(out, "rg_t, sizeof %s); }\n", name);
            } else if (l->b.origins[i].layout == RG__FILE_ARRAY)
                rg_buf_printf(out,
                              back ? "    __builtin_memcpy(rg_a[%1$d], (void *)%2$s, sizeof %2$s);\n"
                                   : "    __builtin_memcpy((void *)%2$s, rg_a[%1$d], sizeof %2$s);\n",
                              i, name);
            else if (!back)
                rg_buf_printf(out, q->indirect ? "    %s = (void *)rg_rows_%d(rg_a);\n" : "    %s = rg_a[%d];\n", name,
                              i);
        }
        rg_buf_str(out, "}\n");
    }
}

/* File-scope arrays are the function's own memory, not the runtime's buffers. */
static void places(struct rg__load *l, struct rg_buf *out)
{
    const struct rg_problem *p = l->p;
    int n = 0;
    for (int i = 0; i < p->n_params; i++) {
        if (p->params[i].origin != RG_ORIGIN_GLOBAL || l->b.origins[i].layout != RG__FILE_ARRAY ||
            p->params[i].indirect)
            continue;
        if (!n++) rg_buf_str(out, "void *rg_shim_place(int rg_p, void **rg_a)\n{\n");
        rg_buf_printf(out, "    if (rg_p == %d) return (void *)%s;\n", i, l->b.origins[i].name);
    }
    if (n) rg_buf_str(out, "    return rg_a[rg_p];\n}\n");
}

/* The structures of an array: as many as any column of theirs has elements. */
static void array_carrier(struct rg__load *l, int k, struct scalars *s, struct rg_buf *out)
{
    const struct rg__carrier *x = &l->b.carriers[k];
    rg_buf_printf(out, "    static %1$s *rg_carrier_%2$d;\n    { long rg_n = 1, rg_m;\n", x->type, k);
    for (int i = 0; i < l->p->n_params; i++) {
        if (l->b.origins[i].layout != RG__COLUMN || l->b.origins[i].parent != k) continue;
        rg_buf_str(out, "      rg_m = ");
        rg__shim_expr(s->a, out, l->p->params[i].dims[0], scalar_of, s);
        rg_buf_str(out, "; if (rg_m > rg_n) rg_n = rg_m;\n");
    }
    rg_buf_printf(
        out,
        "      rg_carrier_%1$d = __builtin_realloc((void *)rg_carrier_%1$d, rg_n * sizeof *rg_carrier_%1$d);\n"
        "      if (!rg_carrier_%1$d) __builtin_abort();\n"
        "      __builtin_memset((void *)rg_carrier_%1$d, 0, rg_n * sizeof *rg_carrier_%1$d); }\n",
        k);
}

/* A column: the member of each structure of the array; what one of pointers leads to is a row of the block. */
static void column(struct rg__load *l, int i, struct scalars *s, bool back, struct rg_buf *out)
{
    const struct rg__origin *o = &l->b.origins[i];
    const struct rg_param *q = &l->p->params[i];
    if (back && (o->pointer || q->role == RG_ROLE_IN)) return;
    rg_buf_str(out, "    for (long rg_k = 0; rg_k < ");
    rg__shim_expr(s->a, out, q->dims[0], scalar_of, s);
    rg_buf_str(out, "; rg_k++) ");
    const char *at = rg_arena_printf(s->a, "rg_carrier_%d[rg_k]%s", o->parent, o->member);
    if (o->pointer) {
        rg_buf_printf(out, "{ void *rg_p = (%s *)rg_a[%d] + rg_k * (", rg__shim_type(q, s->mode, s->wide), i);
        rg__shim_expr(s->a, out, q->dims[1], scalar_of, s);
        rg_buf_printf(out, "); __builtin_memcpy((void *)&%1$s, &rg_p, sizeof rg_p); }\n", at);
    } else {
        rg_buf_printf(out,
                      back ? "__builtin_memcpy((char *)rg_a[%2$d] + rg_k * sizeof %1$s, (void *)&%1$s, sizeof %1$s);\n"
                           : "__builtin_memcpy((void *)&%1$s, (char *)rg_a[%2$d] + rg_k * sizeof %1$s, sizeof %1$s);\n",
                      at, i);
    }
}

/* Structures whose members are parameters of their own: put together before the call, and what the function sets in
 * them taken out behind it. Bytes are copied, so that members may be const. */
static void carriers(struct rg__load *l, enum rg__shim_mode mode, bool wide, bool back, struct rg_buf *out)
{
    const struct rg__build *b = &l->b;
    struct scalars s = {l, &l->dirs.arena, mode, wide};
    for (int k = 0; k < b->n_carriers && !back; k++) {
        const struct rg__carrier *x = &b->carriers[k];
        if (x->array)
            array_carrier(l, k, &s, out);
        else
            rg_buf_printf(
                out, "    %s rg_carrier_%d;\n    __builtin_memset((void *)&rg_carrier_%d, 0, sizeof rg_carrier_%d);\n",
                x->type, k, k, k);
        if (x->parent >= 0)
            rg_buf_printf(out,
                          "    { void *rg_p = (void *)%srg_carrier_%d; __builtin_memcpy((void *)&rg_carrier_%d%s, "
                          "&rg_p, sizeof rg_p); }\n",
                          x->array ? "" : "&", k, x->parent, x->path);
    }
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg__origin *o = &b->origins[i];
        const struct rg_param *q = &l->p->params[i];
        if (o->layout == RG__COLUMN) column(l, i, &s, back, out);
        if (q->origin != RG_ORIGIN_GLOBAL || o->layout != RG__PART) continue;
        struct rg_buf at = RG_BUF_INIT;
        rg_buf_printf(&at, "rg_carrier_%d%s", o->parent, o->member);
        if (!back)
            if (rows_behind_pointers(l, i))
                rg_buf_printf(
                    out, "    { void *rg_p = rg_rows_%d(rg_a); __builtin_memcpy((void *)&%s, &rg_p, sizeof rg_p); }\n",
                    i, at.data);
            else
                rg_buf_printf(out, "    __builtin_memcpy((void *)&%s, %srg_a[%d], sizeof %s);\n", at.data,
                              o->pointer ? "&" : "", i, at.data);
        else if (!o->pointer && q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_IN)
            rg_buf_printf(out, "    __builtin_memcpy(rg_a[%d], (void *)&%s, sizeof %s);\n", i, at.data, at.data);
        rg_buf_release(&at);
    }
}

static const char *base_of(void *arg, int param)
{
    const struct scalars *s = arg;
    return rg_arena_printf(s->a, "rg_a[%d]", param);
}

static const char *bytes_of(void *arg, int param)
{
    const struct scalars *s = arg;
    return rg_arena_printf(s->a, "sizeof(%s)", rg__shim_type(&s->l->p->params[param], s->mode, s->wide));
}

/* A returned pointer as the number that rg_problem.places says. */
static void returned(struct rg__load *l, enum rg__shim_mode mode, bool wide, const char *call, struct rg_buf *out)
{
    struct scalars s = {l, &l->dirs.arena, mode, wide};
    int result = 0;
    while (l->p->params[result].origin != RG_ORIGIN_RESULT) result++;
    const int own = rg_problem_place(l->p, 0);
    if (l->p->params[own].origin == RG_ORIGIN_RETURNED) {
        const struct rg_param *q = &l->p->params[own];
        rg_buf_printf(out, "    long rg_place = rg_returned ? 0 : -1, rg_n = 1");
        for (int d = 0; d < q->n_dims; d++) {
            rg_buf_str(out, " * (long)(");
            rg__shim_expr(&l->dirs.arena, out, q->dims[d], scalar_of, &s);
            rg_buf_char(out, ')');
        }
        rg_buf_str(out, ";\n");
        rg__shim_set(l->p, own, bytes_of(&s, own), call, out);
    } else {
        rg_problem_place_number(out, l->p, "    ", base_of, bytes_of, &s);
    }
    rg_buf_printf(out, "    *(long *)rg_a[%d] = rg_place;\n", result);
}

static void call(struct rg__load *l, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    const struct rg_problem *p = l->p;
    const bool own = p->places && p->params[rg_problem_place(p, 0)].origin == RG_ORIGIN_RETURNED;
    if (own) /* the file's own from here on, as keep_own_names() has it: what is not set can be told */
        rg__shim_malloc(out);
    rg_buf_str(out, "__attribute__((no_sanitize(\"thread\"))) void rg_shim_call(void **rg_a)\n{\n    (void)rg_a;\n");
    if (own) rg_buf_str(out, "    rg_marked = 0;\n");
    bool *copied = rg_xcalloc((size_t)p->n_params + 1, sizeof *copied);
    for (int i = 0; i < p->n_params;
         i++) { /* members that are parameters of their own go into a copy of the structure */
        if (l->b.origins[i].layout != RG__FIELD) continue;
        int parent = l->b.origins[i].parent;
        const char *type = p->params[parent].c_elem;
        if (p->params[parent].origin == RG_ORIGIN_GLOBAL) { /* rg_shim_in has set the variable */
            rg_buf_printf(out, "    %s.%s = *(%s *)rg_a[%d];\n", l->b.origins[parent].name, l->b.origins[i].member,
                          rg__shim_type(&p->params[i], mode, wide), i);
            continue;
        }
        if (p->params[parent].role != RG_ROLE_IN) { /* the function leaves this member, and writes others */
            rg_buf_printf(out, "    ((%s *)rg_a[%d])->%s = *(%s *)rg_a[%d];\n", type, parent, l->b.origins[i].member,
                          rg__shim_type(&p->params[i], mode, wide), i);
            continue;
        }
        if (!copied[parent]) rg_buf_printf(out, "    %s rg_copy_%d = *(%s *)rg_a[%d];\n", type, parent, type, parent);
        copied[parent] = true;
        rg_buf_printf(out, "    rg_copy_%d.%s = *(%s *)rg_a[%d];\n", parent, l->b.origins[i].member,
                      rg__shim_type(&p->params[i], mode, wide), i);
    }
    carriers(l, mode, wide, false, out);
    rg_buf_str(out, "    ");
    for (int i = 0; i < p->n_params; i++)
        if (p->params[i].origin == RG_ORIGIN_RESULT && p->places)
            rg_buf_str(out, "const void *rg_returned = ");
        else if (p->params[i].origin == RG_ORIGIN_RESULT)
            rg_buf_printf(out, "*(%s *)rg_a[%d] = ", rg__shim_type(&p->params[i], mode, wide), i);
    const size_t at = out->len;
    rg_buf_printf(out, "%s(", p->function);
    for (int k = 0; k < l->b.n_args; k++) {
        int i = l->b.args[k].param;
        const struct rg_param *q = i >= 0 ? &p->params[i] : NULL;
        if (k) rg_buf_str(out, ", ");
        if (l->b.args[k].end_of >= 0) {
            int of = l->b.args[l->b.args[k].end_of].param, count = l->b.args[k].count;
            rg_buf_printf(out, "(%s *)rg_a[%d] + *(%s *)rg_a[%d]", rg__shim_type(&p->params[of], mode, wide), of,
                          rg__shim_type(&p->params[count], mode, wide), count);
        } else if (!q)
            rg_buf_printf(out, "%srg_carrier_%d", l->b.args[k].address ? "&" : "", l->b.args[k].carrier);
        else if (copied[i])
            rg_buf_printf(out, "%srg_copy_%d", q->kind == RG_PARAM_ARRAY ? "&" : "", i);
        else if (q->kind == RG_PARAM_SCALAR)
            rg_buf_printf(out, "*(%s *)rg_a[%d]", rg__shim_type(q, mode, wide), i);
        else
            rg_buf_printf(out, q->indirect ? "rg_rows_%d(rg_a)" : "rg_a[%d]", i);
    }
    rg_buf_char(out, ')');
    const char *again = rg_arena_strdup(&l->dirs.arena, out->data + at);
    rg_buf_str(out, ";\n");
    if (p->places) returned(l, mode, wide, again, out);
    carriers(l, mode, wide, true, out);
    rg_buf_str(out, "}\n");
    free(copied);
}

/* File-scope variables that init sets: its memory is the parameter's input from there on. What an earlier call left
 * there is forgotten. */
static void init_state(struct rg__load *l, enum rg__shim_mode mode, bool wide, bool back, struct rg_buf *out)
{
    struct scalars s = {l, &l->dirs.arena, mode, wide};
    if (!back && l->b.n_tables) rg_buf_str(out, "    rg_tables();\n");
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        const struct rg__origin *o = &l->b.origins[i];
        const char *type = rg__shim_type(q, mode, wide);
        if (q->origin != RG_ORIGIN_GLOBAL || q->input.kind != RG_INPUT_INIT || o->layout == RG__PART ||
            o->layout == RG__FIELD || o->layout == RG__COLUMN)
            continue;
        if (!back) {
            if (o->layout == RG__FILE_POINTER) rg_buf_printf(out, "    %s = 0;\n", o->name);
            continue;
        }
        if (o->layout == RG__FILE_VALUE) {
            rg_buf_printf(out, "    *(%s *)rg_a[%d] = %s;\n", type, i, o->name);
        } else if (o->layout == RG__FILE_ARRAY) {
            rg_buf_printf(out, "    __builtin_memcpy(rg_a[%d], (void *)%s, sizeof %s);\n", i, o->name, o->name);
        } else {
            bool rows = q->indirect && q->n_dims == 2;
            rg_buf_printf(out, "    if (%s) ", o->name);
            if (rows) rg_buf_str(out, "for (long rg_k = 0; rg_k < ");
            if (rows) rg__shim_expr(&l->dirs.arena, out, q->dims[0], scalar_of, &s);
            rg_buf_printf(out,
                          rows ? "; rg_k++) __builtin_memcpy((%1$s *)rg_a[%2$d] + rg_k * ("
                               : "__builtin_memcpy((%1$s *)rg_a[%2$d]",
                          type, i);
            if (rows) rg__shim_expr(&l->dirs.arena, out, q->dims[1], scalar_of, &s);
            rg_buf_printf(out, rows ? "), (void *)%s[rg_k]" : ", (void *)%s", o->name);
            for (int d = rows; d < q->n_dims; d++) {
                rg_buf_str(out, d == rows ? ", (long)(" : " * (long)(");
                rg__shim_expr(&l->dirs.arena, out, q->dims[d], scalar_of, &s);
                rg_buf_char(out, ')');
            }
            rg_buf_printf(out, " * sizeof(%s));\n", type);
        }
    }
    for (int k = l->b.n_tables - 1; k >= 0 && !back; k--) rg_buf_printf(out, "    %s = 0;\n", l->b.tables[k].place);
}

static void init_argument(struct rg__load *l, const struct rg__init_arg *a, struct scalars *s, struct rg_buf *out)
{
    const struct rg_param *q = a->param >= 0 ? &l->p->params[a->param] : NULL;
    if (a->carrier >= 0)
        rg_buf_printf(out, "&rg_carrier_%d", a->carrier);
    else if (q && a->pointer)
        rg_buf_printf(out, rows_behind_pointers(l, a->param) ? "rg_rows_%d(rg_a)" : "rg_a[%d]", a->param);
    else if (q)
        rg_buf_printf(out, "*(%s *)rg_a[%d]", rg__shim_type(q, s->mode, s->wide), a->param);
    else if (a->value)
        rg__shim_expr(&l->dirs.arena, out, a->value, scalar_of, s);
    else
        rg_buf_str(out, a->text ? a->text : "0");
}

/* What an init function set in such structures, and memory that it allocated for their members. */
static void init_members(struct rg__load *l, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    struct scalars s = {l, &l->dirs.arena, mode, wide};
    for (int i = 0; i < l->p->n_params; i++) {
        const struct rg_param *q = &l->p->params[i];
        const struct rg__origin *o = &l->b.origins[i];
        if (q->origin != RG_ORIGIN_GLOBAL || q->input.kind != RG_INPUT_INIT || o->layout != RG__PART) continue;
        if (!o->pointer) {
            rg_buf_printf(
                out, "    __builtin_memcpy(rg_a[%1$d], (void *)&rg_carrier_%2$d%3$s, sizeof rg_carrier_%2$d%3$s);\n", i,
                o->parent, o->member);
            continue;
        }
        bool allocated = false;
        for (int k = 0; k < l->n_inits; k++) {
            const struct rg__fact *f = rg__fact_of(l, l->inits[k].function, rg_param_shown(q));
            allocated |= f && f->n_dims;
        }
        if (!allocated || rows_behind_pointers(l, i)) continue;
        rg_buf_printf(out,
                      "    { void *rg_p; __builtin_memcpy(&rg_p, (void *)&rg_carrier_%d%s, sizeof rg_p);\n"
                      "      if (rg_p && rg_p != rg_a[%d]) __builtin_memcpy(rg_a[%d], rg_p",
                      o->parent, o->member, i, i);
        for (int d = 0; d < q->n_dims; d++) {
            rg_buf_str(out, d ? " * (long)(" : ", (long)(");
            rg__shim_expr(&l->dirs.arena, out, q->dims[d], scalar_of, &s);
            rg_buf_char(out, ')');
        }
        rg_buf_printf(out, " * sizeof(%s)); }\n", rg__shim_type(q, mode, wide));
    }
}

/* A function that nobody named may set sizes themselves: what it makes is for these alone. */
static void init_sizes(struct rg__load *l, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    for (int k = 0; k < l->p->n_size_params && l->p->init_found; k++) {
        int i = l->p->size_params[k];
        if (l->p->params[i].origin == RG_ORIGIN_GLOBAL && l->b.origins[i].layout == RG__FILE_VALUE)
            rg_buf_printf(out, "    if (%s != *(%s *)rg_a[%d]) rg_shim_init_missed = 1;\n", l->b.origins[i].name,
                          rg__shim_type(&l->p->params[i], mode, wide), i);
    }
}

static void init(struct rg__load *l, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    struct scalars s = {l, &l->dirs.arena, mode, wide};
    if (l->program.n_rows && mode == RG__SHIM_REFERENCE) {
        rg__program_init(l, out);
        return;
    }
    if (l->p->init_found) rg_buf_str(out, "int rg_shim_init_missed;\n");
    const char *reset = l->p->init_found ? "    rg_shim_init_missed = 0;\n" : "";
    rg_buf_printf(out, "const int rg_shim_has_init = %d;\nvoid rg_shim_init(void **rg_a)\n{\n    (void)rg_a;\n%s",
                  l->n_inits > 0, reset);
    bool structures = false;
    for (int i = 0; i < l->n_inits; i++)
        for (int k = 0; k < l->inits[i].n_args; k++) structures |= l->inits[i].args[k].carrier >= 0;
    if (structures) carriers(l, mode, wide, false, out);
    if (l->n_inits) init_state(l, mode, wide, false, out);
    for (int i = 0; i < l->n_inits; i++) {
        rg_buf_printf(out, "    %s(", l->unit.functions[l->inits[i].function].name);
        for (int k = 0; k < l->inits[i].n_args; k++) {
            if (k) rg_buf_str(out, ", ");
            init_argument(l, &l->inits[i].args[k], &s, out);
        }
        rg_buf_str(out, ");\n");
    }
    if (structures) init_members(l, mode, wide, out);
    init_sizes(l, mode, wide, out);
    if (l->p->init_found) rg_buf_str(out, "    if (rg_shim_init_missed) return;\n");
    if (l->n_inits) init_state(l, mode, wide, true, out);
    rg_buf_str(out, "}\n");
}

static bool is_inline(struct rg__load *l, const struct rg__function *f)
{
    const struct rg__source *s = &l->unit.src;
    uint32_t name = rg__decl_key(&l->unit, f->cursor);
    for (int k = rg__tok_from(s, f->at); k < s->n_toks && s->toks[k].at < name; k++)
        if (rg__tok_is(s, k, "inline") || rg__tok_is(s, k, "__inline") || rg__tok_is(s, k, "__inline__")) return true;
    return false;
}

/* In a shared object a call of the file's own `advance` or `step` would go to whatever library defines that name too.
 */
static void keep_own_names(struct rg__load *l, struct rg_buf *out)
{
    for (int i = 0; i < l->unit.n_functions; i++) {
        const struct rg__function *f = &l->unit.functions[i];
        if (!f->is_static && !is_inline(l, f) && !rg__unit_linked(&l->unit, f->at))
            rg_buf_printf(out, "__asm__(\".hidden %s\\n\");\n", f->name);
    }
}

void rg__shim(struct rg__load *l, enum rg__shim_mode mode, bool wide, struct rg_buf *out)
{
    struct rg_buf head = RG_BUF_INIT;
    size_t from = out->len;
    keep_own_names(l, out);
    rg__shim_tables(l->p, mode, wide, out);
    for (int i = 0; i < l->p->n_params; i++)
        if (rows_behind_pointers(l, i)) row_pointers(l, i, mode, wide, out);
    outside(l, out);
    tables_of(l, out);
    globals(l, mode, wide, out);
    if (mode == RG__SHIM_REFERENCE) places(l, out);
    call(l, mode, wide, out);
    rg__stand_ins(l, out);
    if (l->sequence.n && l->n_inits) rg_buf_str(out, l->sequence.text);
    init(l, mode, wide, out);
    const char *text = out->data ? out->data + from : "";
    rg_buf_str(&head, "\n# 1 \"<regraph-shim>\"\n");
    if (strstr(text, "rg_size_")) rg__shim_functions(&head);
    rg__shim_named(l, text, &head);
    out->len = from;
    rg_buf_str(out, head.data);
    rg_buf_release(&head);
}
