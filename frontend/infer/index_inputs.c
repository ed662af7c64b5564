/* Inputs for integers that lead into other arrays: what `x[idx[i]]` or `x[edges[e].from]` reads lies inside x, and row
 * pointers
 * (`for (k = row[i]; k < row[i + 1]; k++) ... col[k]`) ascend to the length of what they divide. Only where the user
 * says nothing: default integers would lead anywhere. */
#include "frontend/infer/infer.h"
#include "frontend/infer/linked_lists.h"
#include "frontend/infer/reach.h"
#include "ir/access_walk.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BELOW = 4, MAX_MORE = 1000, MAX_DEPTH = 6 };

/* A place is what one input fills: the elements of an integer array, or one integer member of a structure's array. */
struct place {
    int param;
    const char *member;                     /* its path; NULL the elements themselves */
    const struct rg_expr *below[MAX_BELOW]; /* extents that the elements stay below */
    int n_below;                            /* 0 they lead nowhere */
    int64_t lo, hi;              /* they lie in lo .. below - 1 - hi, as `x[idx[i] - 1]` and `x[idx[i] + 1]` ask for */
    const struct rg_expr *total; /* what they ascend to; NULL they bound no loop */
    int64_t first;               /* from there: 1 where counting starts at 1 */
    int ends;                    /* 1 + the place that holds the ends of what starts here; 0 */
    const struct rg_expr *upto;  /* numbers of elements, at most so many */
    bool divides;
    bool counts;             /* something is shifted by it: .. */
    int64_t fraction;        /* it multiplies as one that reaches up to there; 0 */
    int64_t least, most;     /* .. between these */
    struct rg__list_end end; /* of lists that it links */
    bool ascends;            /* the lengths of pieces are differences of neighbours: `at[i + 1] - at[i]` */
};

/* A local integer, and an expression with an index in it that it is set to. */
struct holds {
    int var;
    const struct rg_cnode *value;
};

struct indices {
    struct rg__load *l;
    const struct rg_ctree *t;
    int n_places, cap_places;
    struct place *places;
    int n_held, cap_held;
    struct holds *held;
    int at;           /* the statement of the function that is looked at */
    int *written;     /* by parameter: the first of them that writes it */
    int *bound_by;    /* by variable: the place that bounds the loop over it; -1 */
    bool *from_start; /* and the loop runs from a number on */
};

static int place_of(struct indices *x, int param, const char *member)
{
    for (int i = 0; i < x->n_places; i++)
        if (x->places[i].param == param &&
            (member ? x->places[i].member && !strcmp(member, x->places[i].member) : !x->places[i].member))
            return i;
    RG_GROW(x->places, x->n_places, x->cap_places);
    x->places[x->n_places] = (struct place){.param = param, .member = member};
    return x->n_places++;
}

/* The field of a structure that a chain of members names, and the element it is of; NULL when it is none. */
static const struct rg_field *field_of(const struct indices *x, const struct rg_cnode *e,
                                       const struct rg_cnode **element)
{
    char path[200] = "";
    while (e->kind == RG_C_MEMBER) {
        char longer[sizeof path];
        if (strlen(e->text) + strlen(path) + 2 > sizeof path) return NULL;
        strcpy(longer, e->text);
        if (*path) strcat(strcat(longer, "."), path);
        strcpy(path, longer);
        e = e->kid[0];
    }
    *element = e;
    if (e->kind != RG_C_INDEX || e->pointer) return NULL;
    int p = x->t->arrays[e->array].param;
    const struct rg_param *q = p >= 0 ? &x->l->p->params[p] : NULL;
    if (!q || q->elem != RG_STRUCT || q->struct_index < 0) return NULL;
    const struct rg_struct *s = &x->l->p->structs[q->struct_index];
    for (int f = 0; f < s->n_fields; f++)
        if (!strcmp(s->fields[f].path, path)) return &s->fields[f];
    return NULL;
}

/* A number that the file keeps from call to call: which of two buffers is the current one. */
static bool of_state(const struct rg_param *q)
{
    return q->origin == RG_ORIGIN_GLOBAL && q->role == RG_ROLE_INOUT && q->n_dims == 1 && q->dims[0] &&
           q->dims[0]->kind == RG_EXPR_INT && q->dims[0]->value == 1;
}

/* The place of which an expression is an element whose input nobody stated; -1. */
static int element_of(struct indices *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    const struct rg_field *f = NULL;
    if (!e || e->pointer || (e->kind != RG_C_INDEX && e->kind != RG_C_MEMBER)) return -1;
    if (e->kind == RG_C_MEMBER && !(f = field_of(x, e, &e))) return -1;
    int p = x->t->arrays[e->array].param;
    if (p < 0 || x->t->arrays[e->array].constant_table) return -1;
    const struct rg_param *q = &x->l->p->params[p];
    enum rg_scalar type = f ? f->type : q->elem;
    if (q->role == RG_ROLE_OUT || type == RG_STRUCT || !rg__scalar_is_int(type) || q->input.kind != RG_INPUT_DEFAULT)
        return -1;
    if (!f && q->kind != RG_PARAM_ARRAY) return -1;
    if (!f) return q->role == RG_ROLE_IN || of_state(q) || x->at < x->written[p] ? place_of(x, p, NULL) : -1;
    for (int i = 0; i < q->n_members; i++)
        if (!strcmp(q->members[i].path, f->path)) return -1;
    return place_of(x, p, f->path);
}

/* Is it an index, with a constant or a stride at most? */
static bool leads(struct indices *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL)
        return leads(x, e->kid[0]) || leads(x, e->kid[1]);
    bool held = false;
    for (int i = 0; i < x->n_held && e->kind == RG_C_VAR && e->array < 0; i++) held |= x->held[i].var == e->var;
    return held || element_of(x, e) >= 0;
}

static void hold(struct indices *x, int var, const struct rg_cnode *value)
{
    if (!leads(x, value)) return;
    RG_GROW(x->held, x->n_held, x->cap_held);
    x->held[x->n_held++] = (struct holds){var, value};
}

/* The one place whose element an expression is, or a variable that holds nothing else; -1. */
static int only_element(struct indices *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    int found = element_of(x, e);
    if (!e || e->kind != RG_C_VAR || e->array >= 0) return found;
    for (int i = 0; i < x->n_held; i++)
        if (x->held[i].var == e->var) {
            int place = element_of(x, x->held[i].value);
            found = place >= 0 && (found == -1 || found == place) ? place : -2;
        }
    return found;
}

static bool note_variables(void *arg, struct rg_cnode *n)
{
    struct indices *x = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->n && n->var >= 0) hold(x, n->var, n->kid[0]);
    const struct rg_cnode *to = n->op == RG_COP_SET ? n->kid[0] : NULL;
    if (to && to->kind == RG_C_VAR && to->array < 0 && to->var >= 0) hold(x, to->var, n->kid[1]);
    return true;
}

static bool literal(const struct rg_cnode *e, int64_t *value)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return e->kind == RG_C_INT && e->ivalue >= 0 && e->ivalue <= MAX_MORE && (*value = e->ivalue, true);
}

/* The same with a number more or less: `ia[i] - 1`. */
static int shifted_element(struct indices *x, const struct rg_cnode *e, int64_t *shift)
{
    int64_t k;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    *shift = 0;
    if (!e || (e->op != RG_COP_ADD && e->op != RG_COP_SUB) || !literal(e->kid[1], &k)) return only_element(x, e);
    *shift = e->op == RG_COP_ADD ? k : -k;
    return only_element(x, e->kid[0]);
}

static bool note_bounds(void *arg, struct rg_cnode *n)
{
    struct indices *x = arg;
    if (n->kind != RG_C_LOOP || n->var < 0) return true;
    int64_t from, to;
    int lower = shifted_element(x, n->kid[0], &from), upper = shifted_element(x, n->kid[1], &to);
    if (upper < 0) return true;
    if (lower >= 0 && lower == upper) {
        x->bound_by[n->var] = lower;
        if (from <= 0 && from == to) x->places[lower].first = -from;
    } else if (lower >= 0 && !from && !to && !x->places[lower].member && !x->places[upper].member) {
        x->bound_by[n->var] = lower;
        x->places[lower].ends = upper + 1;
    } else if (n->step > 0 && !to && literal(n->kid[0], &from)) {
        x->bound_by[n->var] = upper;
        x->from_start[n->var] = true;
    }
    return true;
}

static bool note_divisors(void *arg, struct rg_cnode *n)
{
    struct indices *x = arg;
    bool divides = n->op == RG_COP_DIV || n->op == RG_COP_REM || n->op == RG_COP_DIV_SET || n->op == RG_COP_REM_SET;
    int place = divides ? element_of(x, rg__c_uncast(n->kid[1], RG__C_CASTS)) : -1;
    if (place >= 0) x->places[place].divides = true;
    return true;
}

/* Shifts to the left by what is above 0 and to the right by what is below have one number that suits both: either does,
 * as they are behind a condition. */
static void note_shift(void *arg, const struct rg_cnode *e, bool factor, int64_t lo, int64_t hi)
{
    struct indices *x = arg;
    const int place = element_of(x, e);
    if (place < 0) return;
    struct place *p = &x->places[place];
    if (factor) {
        if (hi > p->fraction) p->fraction = hi;
        return;
    }
    const bool first = !p->counts, apart = !first && (lo >= p->most || hi <= p->least);
    p->counts = true;
    p->least = first || (apart ? lo < p->least : lo > p->least) ? lo : p->least;
    p->most = first || (apart ? hi > p->most : hi < p->most) ? hi : p->most;
}

/* at[i + 1] - at[i] */
static bool note_differences(void *arg, struct rg_cnode *n)
{
    struct indices *x = arg;
    if (n->op != RG_COP_SUB) return true;
    const struct rg_cnode *a = rg__c_uncast(n->kid[0], RG__C_INT_CASTS), *b = rg__c_uncast(n->kid[1], RG__C_INT_CASTS);
    int place = element_of(x, a);
    if (place < 0 || x->places[place].member || a->n != 1 || place != element_of(x, b)) return true;
    struct rg__range *r = rg_xmalloc(sizeof *r);
    rg__range_init(r, x->l->t, NULL);
    struct rg__poly up = rg__poly_of(r, a->kid[0]), at = rg__poly_of(r, b->kid[0]), d = rg__poly_add(&up, &at, -1);
    int64_t one;
    if (rg__poly_is_int(&d, &one) && one == 1) x->places[place].ascends = true;
    free(r);
    return true;
}

static void stay_below(struct indices *x, int place, int64_t more, const struct rg_expr *extent)
{
    struct place *p = &x->places[place];
    if (p->ascends) { /* the last of them is where the last piece ends */
        if (!p->total) p->total = extent;
        return;
    }
    if (-more > p->lo) p->lo = -more;
    if (more > p->hi) p->hi = more;
    for (int i = 0; i < p->n_below; i++)
        if (rg_expr_equal(p->below[i], extent)) return;
    if (p->n_below < MAX_BELOW) p->below[p->n_below++] = extent;
}

struct only_params {
    const struct rg_problem *p;
    bool ok;
};

static void check_param(void *arg, const char *name)
{
    struct only_params *o = arg;
    int i = rg_problem_param(o->p, name);
    o->ok = o->ok && i >= 0 && o->p->params[i].kind == RG_PARAM_SCALAR;
}

static const struct rg_expr *quotient(struct indices *x, const struct rg_expr *a, const struct rg_expr *b)
{
    struct rg_expr *q = rg_arena_alloc(&x->l->p->arena, sizeof *q);
    *q = (struct rg_expr){.kind = RG_EXPR_BINARY, .op = RG_OP_DIV, .n_args = 2};
    struct rg_expr **args = rg_arena_alloc(&x->l->p->arena, 2 * sizeof *args);
    args[0] = rg_expr_clone(&x->l->p->arena, a), args[1] = rg_expr_clone(&x->l->p->arena, b);
    q->args = args;
    return q;
}

/* What a factor stands for in an extent: an integer of the problem, or a product of such; NULL anything else. */
static const struct rg_expr *factor(struct indices *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (!e || e->kind == RG_C_INDEX || e->kind == RG_C_MEMBER) return NULL;
    const struct rg_expr *f = rg__c_to_expr(x->t, e, &x->l->p->arena);
    struct only_params o = {x->l->p, true};
    if (f) rg_expr_names(f, check_param, &o);
    return f && o.ok ? f : NULL;
}

/* The stride that all terms of a sum but the index have: K in `i*K + idx[j]`; NULL where they have none. */
static const struct rg_expr *stride_of(struct indices *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_BINARY) return NULL;
    if (e->op == RG_COP_MUL) {
        const struct rg_expr *f = factor(x, e->kid[1]);
        return f ? f : factor(x, e->kid[0]);
    }
    if (e->op != RG_COP_ADD) return NULL;
    const struct rg_expr *a = stride_of(x, e->kid[0]), *b = stride_of(x, e->kid[1]);
    return a && b && rg_expr_equal(a, b) ? a : NULL;
}

/* Where a piece begins, whose length is a difference of such elements: the parts of it that stand one behind the other
 * there, `at[i] + k*4`, are no rows that it is a place in. */
static bool begins_piece(struct indices *x, const struct rg_cnode *e, int depth)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    const int place = element_of(x, e);
    if (place >= 0 || depth > MAX_DEPTH) return place >= 0 && x->places[place].ascends;
    if (e->op == RG_COP_ADD) return begins_piece(x, e->kid[0], depth + 1) || begins_piece(x, e->kid[1], depth + 1);
    for (int i = 0; i < x->n_held && e->kind == RG_C_VAR && e->array < 0; i++)
        if (x->held[i].var == e->var && begins_piece(x, x->held[i].value, depth + 1)) return true;
    return false;
}

/* A subscript of something that is `extent` long: an element of a place or a local that holds one, and what it is part
 * of: with a constant more or less, `idx[i]*K + j`, `j*K + idx[i]`. */
static void note_subscript(struct indices *x, const struct rg_cnode *s, const struct rg_expr *extent, int64_t more,
                           int depth)
{
    int64_t k;
    if (depth > MAX_DEPTH) return; /* `at = next[at + 1]` holds itself */
    s = rg__c_uncast(s, RG__C_INT_CASTS);
    if (s->op == RG_COP_ADD) {
        for (int i = 0; i < 2; i++) {
            const struct rg_cnode *one = s->kid[i], *other = s->kid[1 - i];
            const struct rg_expr *stride = NULL;
            if (literal(other, &k))
                note_subscript(x, one, extent, more + k, depth + 1);
            else if (leads(x, one) && !begins_piece(x, one, 0) && (stride = stride_of(x, other)))
                note_subscript(x, one, stride, more, depth + 1);
            else if (!leads(x, other) || stride_of(x, one))
                note_subscript(x, one, extent, more, depth + 1);
        }
        return;
    }
    if (s->op == RG_COP_SUB && literal(s->kid[1], &k)) {
        note_subscript(x, s->kid[0], extent, more - k, depth + 1);
        return;
    }
    if (s->op == RG_COP_MUL) {
        for (int i = 0; i < 2; i++) {
            const struct rg_expr *f = leads(x, s->kid[i]) ? factor(x, s->kid[1 - i]) : NULL;
            if (f) note_subscript(x, s->kid[i], quotient(x, extent, f), 0, depth + 1);
        }
        return;
    }
    int place = element_of(x, s);
    if (place >= 0) stay_below(x, place, more, extent);
    for (int i = 0; i < x->n_held && s->kind == RG_C_VAR && s->array < 0; i++)
        if (x->held[i].var == s->var) note_subscript(x, x->held[i].value, extent, more, depth + 1);
}

/* s.m, s.a[.].m: as fields are named, for elements 0 of what has subscripts on the way. The structure it is in, or
 * NULL. */
static const struct rg_struct *member_path(const struct indices *x, const struct rg_cnode *e, char *path, size_t size)
{
    *path = 0;
    for (bool last = true; e->kind == RG_C_MEMBER; e = e->kid[0], last = false) {
        char longer[200];
        size_t subs = last ? 0 : (size_t)(e->n - 1) * 3;
        if (strlen(e->text) + strlen(path) + subs + 2 > sizeof longer || sizeof longer > size) return NULL;
        strcpy(longer, e->text);
        for (size_t i = 0; i < subs / 3; i++) strcat(longer, "[0]");
        if (*path) strcat(strcat(longer, "."), path);
        strcpy(path, longer);
    }
    int p = e->kind == RG_C_INDEX && !e->pointer  ? x->t->arrays[e->array].param
            : e->kind == RG_C_VAR && e->array < 0 ? x->t->vars[e->var].param
                                                  : -1;
    const struct rg_param *q = p >= 0 ? &x->l->p->params[p] : NULL;
    return q && q->elem == RG_STRUCT && q->struct_index >= 0 ? &x->l->p->structs[q->struct_index] : NULL;
}

/* How many elements a member that is an array has, by dimension; 0: it is none. */
static int member_dims(const struct indices *x, const struct rg_cnode *e, int64_t dims[4])
{
    char path[200];
    const struct rg_struct *s = member_path(x, e, path, sizeof path);
    int n = 0;
    for (int f = 0; s && f < s->n_fields; f++) {
        const char *at = s->fields[f].path;
        if (strncmp(at, path, strlen(path)) != 0) continue;
        at += strlen(path);
        if (!*at) {
            for (int d = 0; d < s->fields[f].n_dims; d++) dims[d] = s->fields[f].dims[d];
            return s->fields[f].n_dims;
        }
        for (n = *at == '[' ? 0 : n; *at == '[' && n < 4;
             n++, at++) { /* structures, each a field of its own: the last is named last */
            dims[n] = strtoll(at + 1, NULL, 10) + 1;
            at += strcspn(at, "]");
        }
    }
    return n;
}

static bool note_uses(void *arg, struct rg_cnode *n)
{
    struct indices *x = arg;
    int64_t dims[4];
    int n_dims = n->kind == RG_C_MEMBER && n->n > 1 ? member_dims(x, n, dims) : 0;
    for (int d = 0; d < n_dims && d + 1 < n->n; d++) {
        struct rg_expr *count = rg_arena_alloc(&x->l->p->arena, sizeof *count);
        *count = (struct rg_expr){.kind = RG_EXPR_INT, .value = dims[d]};
        note_subscript(x, n->kid[d + 1], count, 0, 0);
    }
    if (n->kind != RG_C_INDEX) return true;
    const struct rg_carray *b = &x->t->arrays[n->array];
    const struct rg_cnode *linear = rg_c_linear(x->t, n);
    if (linear) {
        const struct rg_expr *extent = b->param >= 0 ? x->l->p->params[b->param].dims[0] : b->flat;
        if (extent) note_subscript(x, rg__c_uncast(linear, RG__C_INT_CASTS), extent, 0, 0);
        return true;
    }
    for (int d = 0; d < n->n && d < b->n_dims; d++) {
        const struct rg_expr *extent = b->dims && b->dims[d] ? b->dims[d] : NULL;
        if (b->param >= 0 && b->n_dims == x->l->p->params[b->param].n_dims && !b->constant_table)
            extent = x->l->p->params[b->param].dims[d];
        if (!extent) continue;
        const struct rg_cnode *s = rg__c_uncast(n->kid[d], RG__C_INT_CASTS);
        note_subscript(x, s, extent, 0, 0);
        bool bounded = s->kind == RG_C_VAR && s->array < 0 && x->bound_by[s->var] >= 0;
        if (bounded && (b->n_dims == 1 || x->from_start[s->var])) { /* how many of a padded row there are */
            struct place *p = &x->places[x->bound_by[s->var]];
            const struct rg_expr **what = x->from_start[s->var] ? &p->upto : &p->total;
            if (!*what) *what = extent;
        }
    }
    return true;
}

static void extent_text(struct rg_buf *out, const struct rg_expr *const *e, int n)
{
    bool choice = e[0]->kind == RG_EXPR_COND; /* `- 1` behind it would be of its last arm alone */
    rg_buf_str(out, n > 1 ? "min(" : choice ? "(" : "");
    rg_expr_print(out, e[0], NULL, NULL);
    if (n > 1) {
        rg_buf_str(out, ", ");
        extent_text(out, e + 1, n - 1);
    }
    if (n > 1 || choice) rg_buf_char(out, ')');
}

static void take_input(struct rg__load *l, const struct place *p, const char *text)
{
    struct rg_param *q = &l->p->params[p->param];
    struct rg__directive d = {.name = q->name, .text = text, .file = "", .option = true};
    struct rg_input in;
    if (rg__parse_input(&l->p->arena, &d, &in, NULL) == RG_OK)
        *(p->member ? rg__member_input(l->p, q, p->member) : &q->input) = in;
}

/* Where pieces start and end: one behind the other, of one length. */
static bool set_pieces(struct rg__load *l, const struct place *from, const struct place *to)
{
    const struct rg_param *q = &l->p->params[from->param];
    if (!from->total || q->n_dims != 1 || from->n_below || to->n_below) return false;
    struct rg_buf each = RG_BUF_INIT;
    rg_buf_char(&each, '(');
    extent_text(&each, &from->total, 1);
    rg_buf_str(&each, ") / (");
    rg_expr_print(&each, q->dims[0], NULL, NULL);
    rg_buf_char(&each, ')');
    take_input(l, from, rg_arena_printf(&l->p->arena, "affine(0, %s)", each.data));
    take_input(l, to, rg_arena_printf(&l->p->arena, "affine(max(1, %s), %s)", each.data, each.data));
    rg_buf_release(&each);
    return true;
}

/* Of an array of n + 1 elements the last one is seldom any index's: where the last row ends, how many there are in all.
 */
static const struct rg_expr *named(const struct rg_expr *extent)
{
    const bool one_more = extent->kind == RG_EXPR_BINARY && extent->op == RG_OP_ADD &&
                          extent->args[0]->kind == RG_EXPR_NAME && extent->args[1]->kind == RG_EXPR_INT &&
                          extent->args[1]->value == 1;
    return one_more ? extent->args[0] : extent;
}

static void note_list(void *arg, const struct rg_cnode *next, const struct rg__list_end *end)
{
    struct indices *x = arg;
    const int place = element_of(x, next);
    if (place >= 0) x->places[place].end = *end;
}

static void set_links(struct indices *x, const struct place *p)
{
    struct rg_buf text = RG_BUF_INIT, n = RG_BUF_INIT;
    const struct rg_expr *only = p->n_below == 1 ? named(p->below[0]) : NULL;
    extent_text(&n, only ? &only : p->below, p->n_below);
    rg_buf_printf(&text, "links(%s", n.data);
    if (p->end.kind == RG__LIST_VALUE) rg_buf_printf(&text, ", %lld", (long long)p->end.value);
    if (p->end.kind == RG__LIST_BELOW) rg_buf_printf(&text, ", %s", n.data);
    rg_buf_char(&text, ')');
    take_input(x->l, p, text.data);
    rg_buf_release(&text);
    rg_buf_release(&n);
}

static enum rg_scalar type_of(const struct indices *x, const struct place *p)
{
    const struct rg_param *q = &x->l->p->params[p->param];
    const struct rg_struct *s = p->member ? &x->l->p->structs[q->struct_index] : NULL;
    for (int f = 0; s && f < s->n_fields; f++)
        if (!strcmp(s->fields[f].path, p->member)) return s->fields[f].type;
    return q->elem;
}

static void set_input(struct indices *x, int place)
{
    struct rg__load *l = x->l;
    const struct place *p = &x->places[place];
    for (int i = 0; i < x->n_places; i++)
        if (x->places[i].ends == place + 1 && x->places[i].total) return; /* with the starts */
    if (p->end.kind != RG__LIST_NONE && p->n_below && !p->total) {
        set_links(x, p);
        return;
    }
    if (p->ends && set_pieces(l, p, &x->places[p->ends - 1])) return;
    const enum rg_scalar type = type_of(x, p);
    const int bits = 8 * (int)rg_scalar_bytes(type) - rg_scalar_is_signed(type);
    const int64_t widest = bits < 63 ? ((int64_t)1 << bits) - 1 : INT64_MAX;
    const bool fraction = p->fraction > 99 && !p->upto && !p->divides;
    struct rg_buf text = RG_BUF_INIT;
    bool prefix = p->total && !p->ends && !p->member,
         shifted = p->lo || p->hi; /* then a small extent may leave nothing */
    if (prefix)
        rg_buf_str(&text, "prefix(");
    else if (p->n_below && !shifted && !p->member && p->param < 64 && l->missing >> p->param & 1 &&
             rg_scalar_is_signed(type))
        rg_buf_str(&text, "uniform(-1, ");
    else if (p->n_below)
        rg_buf_printf(&text, shifted ? "uniform(%lld, max(%lld, " : "uniform(%lld, ", (long long)p->lo,
                      (long long)p->lo);
    else if (p->counts)
        rg_buf_printf(&text, "uniform(%lld, ", (long long)(p->least < 0 && !rg_scalar_is_signed(type) ? 0 : p->least));
    else if (p->upto || p->divides || fraction)
        rg_buf_printf(&text, "uniform(%d, ", p->divides);
    else
        return;
    const struct rg_expr *only = p->n_below == 1 && !shifted ? named(p->below[0]) : NULL;
    if (prefix || p->n_below)
        extent_text(&text, prefix ? &p->total : only ? &only : p->below, prefix ? 1 : p->n_below);
    else if (p->counts)
        rg_buf_printf(&text, "%lld", (long long)p->most);
    else if (p->upto)
        extent_text(&text, &p->upto, 1);
    else if (fraction)
        rg_buf_printf(&text, "%lld", (long long)(p->fraction < widest ? p->fraction : widest));
    else
        rg_buf_str(&text, "99");
    if (!prefix && p->n_below) rg_buf_printf(&text, " - %lld%s", (long long)p->hi + 1, shifted ? ")" : "");
    if (prefix && p->first) rg_buf_printf(&text, ", %lld", (long long)p->first);
    rg_buf_char(&text, ')');
    take_input(l, p, text.data);
    rg_buf_release(&text);
}

/* Statement by statement: what one of them writes is the caller's in those before it. */
static void each(struct indices *x, bool (*fn)(void *arg, struct rg_cnode *n))
{
    for (x->at = 0; x->at < x->t->root->n; x->at++) rg__c_walk(x->t->root->kid[x->at], fn, x);
    x->at = INT_MAX;
}

static void find_written(struct indices *x)
{
    for (int i = 0; i < x->l->p->n_params; i++) x->written[i] = INT_MIN; /* by what is not followed */
    for (int a = 0; a < x->t->n_arrays; a++) {
        const int p = x->t->arrays[a].param;
        int s = 0;
        if (p < 0 || x->l->p->may_alias) continue;
        while (s < x->t->root->n && !rg__writes_array(x->t->root->kid[s], a)) s++;
        if (x->written[p] == INT_MIN || s < x->written[p]) x->written[p] = s;
    }
}

void rg__index_inputs(struct rg__load *l)
{
    struct rg_ctree *t = l->t;
    size_t n = (size_t)t->n_vars + 1;
    rg__reach_row_inputs(l);
    struct indices x = {.l = l, .t = t, .bound_by = rg_xcalloc(n, sizeof *x.bound_by)};
    x.from_start = rg_xcalloc(n, sizeof *x.from_start);
    x.written = rg_xcalloc((size_t)l->p->n_params + 1, sizeof *x.written);
    find_written(&x);
    for (size_t v = 0; v < n; v++) x.bound_by[v] = -1;
    each(&x, note_variables);
    each(&x, note_bounds);
    each(&x, note_differences);
    each(&x, note_uses);
    each(&x, note_divisors);
    rg__linked_lists(t, note_list, &x);
    rg__shift_counts(l, note_shift, &x);
    for (int i = 0; i < x.n_places; i++) set_input(&x, i);
    free(x.places);
    free(x.held);
    free(x.bound_by);
    free(x.from_start);
    free(x.written);
}
