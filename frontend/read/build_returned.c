/* A function that returns a pointer: into which of its caller's arrays, and how far; or to memory that it allocates,
 * which is one array more then. The result is a number then: -1
 * for NULL, else that of the array among those that its returns lead into, plus as many times their number as the
 * pointer is elements behind the array's first. The shim makes the number of the C's pointer, NAME_auto the pointer of
 * the number. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_returned.h"
#include <string.h>

enum { MOST = 8 };

struct places {
    struct rg__build *b;
    const struct rg_cnode *root;
    int n, array[MOST];
    bool own; /* the one is memory that the function allocates */
    bool failed;
};

enum rg_status rg__refuse_returned(struct rg__build *b, const struct rg__function *f, const char *why)
{
    b->refused = true;
    return rg_error_at(
        b->err, RG_INPUT, f->file, f->line, 0,
        "'%s' returns a pointer ('%s') that is neither seen to lead into an array that the caller gives as a "
        "parameter, nor to be memory that it allocates once, of a size that its arguments say%s%s%s; let "
        "it write into an array of its caller's, and return void, a number, or a place in it",
        f->name, b->p->return_c, why ? " (" : "", why ? why : "", why ? ")" : "");
}

enum rg_status rg__returned_param(struct rg__build *b, const struct rg__function *f, CXType result)
{
    CXType to = b->c->getPointeeType(b->c->getCanonicalType(result));
    enum rg_scalar s;
    if (!rg__type_scalar(b->u, to, &s) && !rg__type_is_record(b->u, to)) return rg__refuse_returned(b, f, NULL);
    struct rg_param *p = rg__add_param(b, "result", RG_PARAM_ARRAY, RG_ORIGIN_RESULT);
    p->elem = RG_LONG;
    p->elem_bytes = (int64_t)rg_scalar_bytes(RG_LONG);
    p->c_elem = rg_scalar_c(RG_LONG);
    b->p->places = "";
    return RG_OK;
}

static bool is_null(const struct rg_cnode *v)
{
    return rg__is_null_pointer(v) || (v->kind == RG_C_INT && !v->ivalue);
}

static struct rg_cnode *null_where(struct rg__build *b, struct rg_cnode *flag, struct rg_cnode *v)
{
    struct rg_cnode *c = rg__c_choice(b->t, flag, rg__c_null(b->t), v);
    c->pointer = true;
    c->type = v->type;
    c->struct_index = v->struct_index;
    return c;
}

struct rg_cnode *rg__returned_pointer(struct rg__build *b, struct rg_cnode *v)
{
    const struct rg_cnode *maybe = rg__maybe_null(v);
    if (maybe) {
        struct rg_cnode *flag = rg__null_flag(b, maybe);
        return flag ? null_where(b, flag, v->kid[0]) : v;
    }
    const int null = rg__null_var(b, v);
    return null >= 0 ? null_where(b, rg__c_var(b->t, null), v) : v;
}

struct names {
    const struct rg_problem *p;
    bool other;
};

static void look_up(void *arg, const char *name)
{
    struct names *n = arg;
    n->other |= rg_problem_param(n->p, name) < 0;
}

static void count_declarations(const struct rg_cnode *n, int array, bool loop, int *times)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_DECL && n->array == array) *times += loop ? 2 : 1;
    loop |= n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_LOOP;
    for (int i = 0; i < n->n; i++) count_declarations(n->kid[i], array, loop, times);
}

/* Memory that the function allocates once, of a size that its arguments say: the caller's, when it is returned. */
static bool is_own(const struct places *s, int array)
{
    const struct rg_carray *a = &s->b->t->arrays[array];
    struct names n = {.p = s->b->p};
    int times = 0;
    if (a->param >= 0 || !a->mallocd || a->view || a->rows_apart || a->flat || a->n_dims < 1) return false;
    for (int d = 0; d < a->n_dims; d++) {
        if (!a->dims[d]) return false;
        rg_expr_names(a->dims[d], look_up, &n);
    }
    count_declarations(s->root, array, false, &times);
    return !n.other && times == 1 && rg_problem_param(n.p, a->name) < 0;
}

static void note_root(struct places *s, int array)
{
    const struct rg_carray *a = &s->b->t->arrays[array];
    const struct rg_param *q = a->param >= 0 ? &s->b->p->params[a->param] : NULL;
    for (int i = 0; i < s->n; i++)
        if (s->array[i] == array) return;
    if (!q && !s->n && is_own(s, array)) {
        s->array[s->n++] = array;
        s->own = true;
        return;
    }
    s->failed |= s->own || !q || q->origin != RG_ORIGIN_ARG || q->indirect || s->n == MOST;
    int at = s->n; /* in the order of the parameters */
    while (!s->failed && at > 0 && s->b->t->arrays[s->array[at - 1]].param > a->param) at--;
    if (s->failed) return;
    memmove(s->array + at + 1, s->array + at, (size_t)(s->n++ - at) * sizeof *s->array);
    s->array[at] = array;
}

struct views { /* a pointer that is set to one array and another, and those that it is set to in turn */
    struct places *s;
    int n, seen[2 * MOST];
};

static void view_roots(struct views *v, int array);

static void find_values(struct views *v, const struct rg_cnode *n, int view)
{
    if (!n) return;
    if (n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array == view) {
        const struct rg_cnode *x = n->kid[1];
        while (x->kind == RG_C_CAST && x->pointer) x = x->kid[0];
        if (n->op == RG_COP_SET && x->kind == RG_C_VAR && x->array >= 0)
            view_roots(v, x->array);
        else
            v->s->failed = true;
    }
    for (int i = 0; i < n->n; i++) find_values(v, n->kid[i], view);
}

static void view_roots(struct views *v, int array)
{
    for (int i = 0; i < v->n; i++)
        if (v->seen[i] == array) return;
    if (v->n == 2 * MOST) {
        v->s->failed = true;
        return;
    }
    v->seen[v->n++] = array;
    if (v->s->b->t->arrays[array].view)
        find_values(v, v->s->root, array);
    else
        note_root(v->s, array);
}

static void note_roots(struct places *s, struct rg_cnode *v)
{
    struct rg_cnode *rows[8], *off;
    int array, n_rows;
    if (is_null(v)) return;
    if (v->kind == RG_C_COND && v->pointer) {
        note_roots(s, v->kid[1]);
        note_roots(s, v->kid[2]);
    } else if (!rg__split_pointer(s->b, v, &array, rows, &n_rows, &off) || n_rows ||
               (off && s->b->t->arrays[array].n_dims != 1)) {
        s->failed = true;
    } else {
        struct views seen = {.s = s};
        view_roots(&seen, array);
        s->failed |= s->own && off;
    }
}

static struct rg_cnode *number(struct rg_ctree *t, int64_t v)
{
    return rg__c_cast(t, rg__c_int(t, v), RG_LONG);
}

static struct rg_cnode *number_of(struct places *s, int array)
{
    for (int i = 0; i < s->n; i++)
        if (s->array[i] == array) return number(s->b->t, i);
    return NULL;
}

/* Which of the arrays a view stands for. */
static struct rg_cnode *number_of_view(struct places *s, int view)
{
    struct rg_ctree *t = s->b->t;
    const struct rg_carray *v = &t->arrays[view];
    struct rg_cnode *which = NULL;
    for (int i = s->n - 1; i >= 0; i--) {
        const struct rg_carray *a = &t->arrays[s->array[i]];
        if (a->elem != v->elem || a->struct_index != v->struct_index) continue;
        struct rg_cnode *is = number(t, i);
        if (which)
            is = rg__c_choice(
                t, rg__c_binary(t, RG_COP_EQ, rg__c_array_name(t, view), rg__c_array_name(t, s->array[i])), is, which);
        which = is;
    }
    return which;
}

static struct rg_cnode *place(struct places *s, struct rg_cnode *v)
{
    struct rg_ctree *t = s->b->t;
    struct rg_cnode *rows[8], *off;
    int array, n_rows;
    if (is_null(v)) return number(t, -1);
    if (v->kind == RG_C_COND && v->pointer) return rg__c_choice(t, v->kid[0], place(s, v->kid[1]), place(s, v->kid[2]));
    rg__split_pointer(s->b, v, &array, rows, &n_rows, &off);
    struct rg_cnode *which = t->arrays[array].view ? number_of_view(s, array) : number_of(s, array);
    if (!which || !off) return which ? which : number(t, -1);
    off = rg__c_cast(t, off, RG_LONG);
    return s->n == 1 ? off : rg__c_binary(t, RG_COP_ADD, rg__c_binary(t, RG_COP_MUL, off, number(t, s->n)), which);
}

static void each_return(struct places *s, struct rg_cnode *n, bool set)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_RETURN && n->n && !set) note_roots(s, n->kid[0]);
    if (n->kind == RG_C_RETURN && n->n && set) n->kid[0] = place(s, n->kid[0]);
    for (int i = 0; i < n->n; i++) each_return(s, n->kid[i], set);
}

/* Such memory as a parameter: its declaration goes. */
static void give_out(struct places *s, struct rg_cnode *n)
{
    for (int i = 0; n && !rg__c_is_expr(n) && i < n->n; i++) {
        struct rg__kids none = {0};
        give_out(s, n->kid[i]);
        if (n->kind == RG_C_BLOCK && n->kid[i] && n->kid[i]->kind == RG_C_DECL && n->kid[i]->array == s->array[0])
            rg__block_splice(s->b->t, n, i--, 1, &none);
    }
}

static void own_param(struct places *s)
{
    struct rg__build *b = s->b;
    struct rg_carray *a = &b->t->arrays[s->array[0]];
    struct rg_param *p = rg__add_param(b, rg_arena_strdup(&b->p->arena, a->name), RG_PARAM_ARRAY, RG_ORIGIN_RETURNED);
    const bool record = a->elem == RG_STRUCT;
    p->elem = a->elem;
    p->struct_index = a->struct_index;
    p->elem_bytes = record ? b->p->structs[a->struct_index].bytes : (int64_t)rg_scalar_bytes(a->elem);
    p->c_elem = record ? b->p->structs[a->struct_index].c_name : rg_scalar_c(a->elem);
    p->c_decl = rg_arena_printf(&b->p->arena, "%s *%s", p->c_elem, p->name);
    p->role = RG_ROLE_OUT;
    p->n_dims = a->n_dims;
    p->dims = rg_arena_alloc(&b->p->arena, (size_t)a->n_dims * sizeof *p->dims);
    for (int d = 0; d < a->n_dims; d++) p->dims[d] = rg_expr_clone(&b->p->arena, a->dims[d]);
    a->param = b->p->n_params - 1;
    a->mallocd = false;
    give_out(s, (struct rg_cnode *)s->root);
}

static bool is_moved(const struct rg_cnode *n, int array)
{
    bool is = n && n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array == array;
    for (int i = 0; n && i < n->n && !is; i++) is = is_moved(n->kid[i], array);
    return is;
}

/* Parameters that are set to one another (`a = b; b = swap;`): the arrays keep their names, by which a return says
 * which of them it leads into, and what moves is a pointer beside each. */
static void view_moved(struct rg__build *b, struct rg_cnode *root)
{
    struct rg_ctree *t = b->t;
    struct rg__kids front = {0};
    for (int i = 0, n = t->n_arrays; i < n; i++) {
        if (t->arrays[i].param < 0 || t->arrays[i].view || !t->arrays[i].dims || !is_moved(root, i)) continue;
        const int v = rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_now", t->arrays[i].name), t->arrays[i].elem);
        struct rg_carray *x = &t->arrays[v];
        const struct rg_carray *of = &t->arrays[i];
        x->struct_index = of->struct_index;
        x->c_elem = of->c_elem;
        x->is_const = of->is_const;
        x->view = true;
        x->n_dims = of->n_dims;
        x->dims = rg_arena_alloc(&t->arena, sizeof *x->dims * (size_t)of->n_dims);
        x->dims[0] = NULL;
        for (int d = 1; d < of->n_dims; d++) x->dims[d] = of->dims[d];
        rg__c_rename_array(root, i, v);
        struct rg_cnode *set =
            rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_array_name(t, v), rg__c_array_name(t, i)));
        set->line = root->line;
        rg__kids_add(&front, set);
    }
    rg__block_splice(t, root, 0, 0, &front);
}

void rg__returned_end(struct rg__build *b, struct rg_cnode *root)
{
    struct places s = {.b = b, .root = root};
    if (!b->p->places || b->verbatim) return;
    view_moved(b, root);
    each_return(&s, root, false);
    s.failed |= s.n > 1 && b->p->may_alias; /* which of them could not be told */
    if (!s.failed) each_return(&s, root, true);
    if (s.failed || !s.n) {
        b->verbatim = "it returns a pointer to something else";
        return;
    }
    if (s.own) own_param(&s);
    struct rg_buf names = RG_BUF_INIT;
    for (int i = 0; i < s.n; i++)
        rg_buf_printf(&names, "%s%s", i ? " " : "", b->p->params[b->t->arrays[s.array[i]].param].name);
    b->p->places = rg_arena_strdup(&b->p->arena, names.data);
    rg_buf_release(&names);
}
