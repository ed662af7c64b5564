/* Pointers followed by value, where build_pointer.c and build_view.c, which look at all assignments of a variable at
 * once, find no tree: while the body is read statement by statement, each pointer (a variable, a member of a structure,
 * an element of a small array) is a cell that holds what it points to at this place. Where two ways meet with different
 * values, or a loop changes one, the cell is given another form - an offset into one array, or a view - and the body is
 * read again. So are integers of structures and of file-scope variables, which decide on branches and subscripts. */
#include "frontend/read/build_cell.h"
#include "frontend/read/build_place.h"
#include "frontend/read/build_shape.h"
#include "ir/ctree_real.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ATTEMPTS = 40 };

struct rg__cell *rg__cell_at(const struct rg__build *b, int var)
{
    struct rg__follow *f = b->follow;
    if (!f || var < 0 || var >= f->n_by_var || b->helper) return NULL;
    int c = f->by_var[var] - 1;
    return c >= 0 ? &f->cells[c] : NULL;
}

struct rg__cell *rg__cell_named(const struct rg__build *b, const struct rg_cnode *n)
{
    return n && n->kind == RG_C_VAR && n->array < 0 ? rg__cell_at(b, n->var) : NULL;
}

enum rg__cell_form rg__cell_form(const struct rg__build *b, uint32_t key)
{
    const struct rg__follow *f = b->follow;
    for (int i = 0; i < f->n_forms; i++)
        if (f->forms[i].key == key) return f->forms[i].form;
    return RG__BY_VALUE;
}

void rg__cell_decide(struct rg__build *b, uint32_t key, enum rg__cell_form form)
{
    struct rg__follow *f = b->follow;
    if (form == RG__GIVEN && (f->again || b->verbatim)) return; /* what sets it may not have been read */
    f->again = true;
    for (int i = 0; i < f->n_forms; i++)
        if (f->forms[i].key == key) {
            if (f->forms[i].form < form) f->forms[i].form = form, f->forms[i].attempt = f->attempts;
            if (form == RG__VARIES && f->around) f->forms[i].loop = f->around->key;
            return;
        }
    RG_GROW(f->forms, f->n_forms, f->cap_forms);
    f->forms[f->n_forms].attempt = f->attempts;
    f->forms[f->n_forms].loop = form == RG__VARIES && f->around ? f->around->key : 0;
    f->forms[f->n_forms].key = key;
    f->forms[f->n_forms++].form = form;
}

static struct rg__cell *new_cell(struct rg__build *b, int var, uint32_t key, const char *name)
{
    struct rg__follow *f = b->follow;
    RG_GROW(f->cells, f->n_cells, f->cap_cells);
    f->cells[f->n_cells] = (struct rg__cell){
        .key = key, .name = name, .var = var, .form = rg__cell_form(b, key), .view = -1, .null_var = -1};
    while (f->n_by_var <= var) {
        RG_GROW(f->by_var, f->n_by_var, f->cap_by_var);
        f->by_var[f->n_by_var++] = 0;
    }
    f->by_var[var] = ++f->n_cells;
    return &f->cells[f->n_cells - 1];
}

bool rg__is_null_pointer(const struct rg_cnode *n)
{
    return n->kind == RG_C_CAST && n->pointer && n->kid[0]->kind == RG_C_INT && n->kid[0]->ivalue == 0;
}

int rg__cell_pointer(struct rg__build *b, uint32_t key, CXType type, const char *name)
{
    int var = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, RG_I32);
    struct rg__cell *c = new_cell(b, var, key, name);
    c->pointer = true;
    c->decl = b->c->getNullCursor();
    c->type = type;
    c->alias = (struct rg__sym){.key = 0, .kind = RG__SYM_ALIAS, .var = -1, .array = -1, .off_var = -1, .null_var = -1};
    return var;
}

void rg__cell_number(struct rg__build *b, int var, uint32_t key, const char *name, struct rg_cnode *value)
{
    new_cell(b, var, key, name)->value = value;
}

/* ---- numbers ---- */

static bool of_params(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (!rg__mentions_kind(e, RG_C_CALL)) return rg__c_of_params(t, e);
    bool power = e->kind == RG_C_CALL && e->callee < 0 && e->text && !strcmp(e->text, "rg_pow2_from");
    if (e->kind == RG_C_CALL && !power && !rg__c_real_call(e)) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_params(t, e->kid[i])) return false;
    return true;
}

bool rg__of_real_params(struct rg__build *b, const struct rg_cnode *e)
{
    if (!rg_scalar_is_real(e->type) || e->pointer) return false;
    struct rg_cnode *x = rg__expand_known(b, e);
    return of_params(b->t, x) && rg__c_pure(b->t, x) && rg__c_size(x) <= 40;
}

/* A parameter that is written has other values later. */
static bool lasts(struct rg__build *b, struct rg_cnode *v)
{
    if (!of_params(b->t, v) || !rg__c_pure(b->t, v) || rg__c_size(v) > 24) return false;
    for (int i = 0; i < b->n_syms; i++)
        if (b->syms[i].kind == RG__SYM_VAR && rg__c_mentions_var(v, b->syms[i].var) &&
            b->t->vars[b->syms[i].var].kind == RG_CVAR_PARAM && rg__is_written(b, b->syms[i].key))
            return false;
    return true;
}

bool rg__cell_fixed(struct rg__build *b, struct rg_cnode **sub)
{
    struct rg_cnode *e = b->follow && !b->helper ? rg__expand_known(b, *sub) : NULL;
    if (!e || !lasts(b, e)) return false;
    *sub = e;
    return true;
}

static bool relation(enum rg_c_op op, int64_t x, int64_t y, int64_t *out)
{
    switch (op) {
    case RG_COP_ADD:
        return !__builtin_add_overflow(x, y, out);
    case RG_COP_SUB:
        return !__builtin_sub_overflow(x, y, out);
    case RG_COP_MUL:
        return !__builtin_mul_overflow(x, y, out);
    case RG_COP_LT:
        *out = x < y;
        return true;
    case RG_COP_LE:
        *out = x <= y;
        return true;
    case RG_COP_GT:
        *out = x > y;
        return true;
    case RG_COP_GE:
        *out = x >= y;
        return true;
    case RG_COP_EQ:
        *out = x == y;
        return true;
    case RG_COP_NE:
        *out = x != y;
        return true;
    case RG_COP_AND:
        *out = x && y;
        return true;
    case RG_COP_OR:
        *out = x || y;
        return true;
    case RG_COP_DIV:
        return y > 0 && x >= 0 && (*out = x / y, true);
    case RG_COP_SHL:
        return x >= 0 && y >= 0 && y < 31 && !__builtin_mul_overflow(x, (int64_t)1 << y, out);
    case RG_COP_SHR:
        return x >= 0 && y >= 0 && y < 31 && (*out = x >> y, true);
    case RG_COP_REM:
        return y > 0 && x >= 0 && (*out = x % y, true);
    default:
        return false;
    }
}

/* A real number, and how far C's own may be off from it. */
struct real {
    long double value, error;
};

static bool whole(long double (*f)(long double), struct real *x)
{
    if (f(x->value - x->error) != f(x->value + x->error)) return false;
    *x = (struct real){f(x->value), 0};
    return true;
}

static bool real_value(const struct rg_cnode *n, struct real *x)
{
    struct real y;
    int64_t i;
    const char *name = n->kind == RG_C_CALL && n->callee < 0 && n->n == 1 && n->text ? n->text : "";
    long double eps = n->type == RG_F32 ? 0x1p-23L : 0x1p-52L;
    if (n->type == RG_F16) return false;
    if (n->kind == RG_C_REAL) {
        *x = (struct real){n->rvalue, 0};
    } else if (rg__scalar_is_int(n->type)) {
        if (!rg__cell_evaluate(n, &i)) return false;
        *x = (struct real){(long double)i, 0};
        return true;
    } else if (n->kind == RG_C_CAST && !n->pointer) {
        if (!real_value(n->kid[0], x)) return false;
    } else if (n->op == RG_COP_NEG) {
        if (!real_value(n->kid[0], x)) return false;
        x->value = -x->value;
    } else if (*name) {
        size_t len = strlen(name);
        if (!real_value(n->kid[0], x)) return false;
        if (len > 1 && name[len - 1] == 'f') len--;
        if (!strncmp(name, "ceil", len)) return len == 4 && whole(ceill, x);
        if (!strncmp(name, "floor", len)) return len == 5 && whole(floorl, x);
        if (!strncmp(name, "round", len)) return len == 5 && whole(roundl, x);
        if (len != 4 || strncmp(name, "sqrt", len) || x->value - x->error <= 0) return false;
        x->error /= sqrtl(x->value - x->error);
        x->value = sqrtl(x->value);
    } else if (n->kind == RG_C_BINARY && real_value(n->kid[0], x) && real_value(n->kid[1], &y)) {
        switch (n->op) {
        case RG_COP_ADD:
        case RG_COP_SUB:
            *x = (struct real){n->op == RG_COP_ADD ? x->value + y.value : x->value - y.value, x->error + y.error};
            break;
        case RG_COP_MUL:
            *x = (struct real){x->value * y.value,
                               fabsl(x->value) * y.error + fabsl(y.value) * x->error + x->error * y.error};
            break;
        case RG_COP_DIV:
            if (fabsl(y.value) <= 2 * y.error) return false;
            *x = (struct real){x->value / y.value,
                               2 * (x->error + fabsl(x->value / y.value) * y.error) / fabsl(y.value)};
            break;
        default:
            return false;
        }
    } else {
        return false;
    }
    x->error += fabsl(x->value) * eps;
    return x->error >= 0; /* no NaN */
}

/* (int)ceilf(3 * 1.4f): numbers alone, so far from the next whole one that no rounding makes another of it. */
static bool truncated_real(const struct rg_cnode *n, int64_t *out)
{
    struct real x;
    if (n->kid[0]->pointer || !real_value(n->kid[0], &x) || !whole(truncl, &x) || fabsl(x.value) > 1e9L) return false;
    *out = (int64_t)x.value;
    return true;
}

/* To the type in which C compares the two, or adds them. */
static bool converted(const struct rg_cnode *n, int64_t *x, int64_t *y)
{
    const struct rg_cnode *a = n->kid[0], *b = n->kid[1];
    if (a->pointer || b->pointer || rg_c_lazy(n->op) || n->op == RG_COP_SHL || n->op == RG_COP_SHR) return true;
    const enum rg_scalar common = rg__scalar_common(a->type, b->type);
    return !rg__scalar_is_int(common) || rg_scalar_is_signed(common) ||
           (rg__c_convert(x, common) && rg__c_convert(y, common));
}

bool rg__cell_evaluate(const struct rg_cnode *n, int64_t *out)
{
    int64_t x, y;
    if (n->kind == RG_C_INT) return *out = n->ivalue, rg__c_comes_round(n, out);
    if (n->kind == RG_C_CAST && !n->pointer && rg__scalar_is_int(n->type))
        return (rg__scalar_is_int(n->kid[0]->type) ? rg__cell_evaluate(n->kid[0], out) : truncated_real(n, out)) &&
               rg__c_convert(out, n->type);
    if (n->op == RG_COP_NOT && rg__cell_evaluate(n->kid[0], &x)) return *out = !x, true;
    if (n->op == RG_COP_NEG && rg__cell_evaluate(n->kid[0], &x))
        return !__builtin_sub_overflow((int64_t)0, x, out) && rg__c_comes_round(n, out);
    return n->kind == RG_C_BINARY && rg__cell_evaluate(n->kid[0], &x) && rg__cell_evaluate(n->kid[1], &y) &&
           converted(n, &x, &y) && relation(n->op, x, y, out) && rg__c_comes_round(n, out);
}

static void touched(struct rg__build *b, struct rg__cell *c)
{
    if (!c->first_set) c->first_set = ++b->follow->sets;
}

void rg__cell_escapes(struct rg__build *b, const struct rg_cnode *place)
{
    struct rg__cell *c = rg__cell_named(b, place);
    if (!c || c->pointer) return;
    if (c->form != RG__ESCAPES) rg__cell_decide(b, c->key, RG__ESCAPES);
    touched(b, c);
    c->set = true;
}

/* May its value be remembered where it is set? */
static bool remembered(const struct rg__cell *c)
{
    return c->form == RG__BY_VALUE || (c->local && c->form == RG__VARIES);
}

void rg__cell_set_number(struct rg__build *b, int var, struct rg_cnode *value)
{
    struct rg__cell *c = rg__cell_at(b, var);
    if (!c || c->pointer) return;
    touched(b, c);
    c->trips = 0;
    int64_t v;
    bool integer = rg__scalar_is_int(b->t->vars[var].type), real = rg_scalar_is_real(b->t->vars[var].type);
    if (value && (integer || real) && remembered(c)) value = rg__expand_known(b, value); /* it may be named there */
    c->set = true;
    c->value = NULL;
    if (!value || !(integer || real) || !remembered(c)) return;
    if (real && value->type != b->t->vars[var].type) value = rg__c_cast(b->t, value, b->t->vars[var].type);
    if (integer && rg__cell_evaluate(value, &v))
        c->value = rg__c_int_of(b->t, v, b->t->vars[var].type);
    else if (lasts(b, value))
        c->value = value;
}

void rg__cell_local(struct rg__build *b, int var, uint32_t key, struct rg_cnode *value)
{
    if (!b->follow || b->helper || b->t->vars[var].type == RG_BOOL) return;
    rg__cell_number(b, var, key * 31 + b->follow->path, b->t->vars[var].name, NULL);
    rg__cell_at(b, var)->local = true;
    rg__cell_at(b, var)->quiet = !b->follow->n_fixed && !rg__by_trips(b);
    rg__cell_set_number(b, var, value);
    rg__cell_at(b, var)->set = value != NULL;
}

/* ---- pointers ---- */

bool rg__cell_null_or_unset(const struct rg_cnode *v)
{
    return !v || rg__is_null_pointer(v);
}

bool rg__cell_whole(const struct rg_cnode *v)
{
    while ((v->kind == RG_C_CAST && v->pointer) || rg__is_rows(v)) v = v->kid[0];
    return v->kind == RG_C_VAR && v->array >= 0;
}

static int whole_array(const struct rg_cnode *v)
{
    while ((v->kind == RG_C_CAST && v->pointer) || rg__is_rows(v)) v = v->kid[0];
    return v->array;
}

static const char may_be_null[] = ""; /* text of such a node */

static uint32_t null_key(uint32_t key)
{
    return key * 2654435761u + 1;
}

/* Where somebody asks: the variable that says whether it is null. */
static int null_var(struct rg__build *b, struct rg__cell *c)
{
    if (c->null_var >= 0 || rg__cell_form(b, null_key(c->key)) != RG__NULLABLE) return c->null_var;
    int v = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_null", c->name), RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, c->global);
    d->var = v;
    d->type = RG_I32;
    if (c->global) d->kid[0] = rg__c_int(b->t, 1); /* as the program starts */
    rg__kids_add(c->global ? b->front : b->prologue, d);
    return c->null_var = v;
}

const struct rg_cnode *rg__maybe_null(const struct rg_cnode *v)
{
    while (v->kind == RG_C_CAST && v->pointer && v->text != may_be_null) v = v->kid[0];
    return v->kind == RG_C_CAST && v->pointer ? v : NULL;
}

struct rg_cnode *rg__null_flag(struct rg__build *b, const struct rg_cnode *maybe)
{
    if (maybe->var >= 0) return rg__c_var(b->t, maybe->var);
    rg__cell_decide(b, null_key((uint32_t)maybe->ivalue), RG__NULLABLE);
    return NULL;
}

bool rg__cell_mark_null(struct rg__build *b, struct rg__cell *c, const struct rg_cnode *v)
{
    const struct rg_cnode *from = rg__maybe_null(v);
    int own = null_var(b, c);
    if (own < 0) return true;
    if (from && from->var < 0) rg__null_flag(b, from);
    if (!b->hoist || (from && from->var < 0)) return false;
    struct rg_cnode *is = from ? rg__c_var(b->t, from->var) : rg__c_int(b->t, rg__is_null_pointer(v));
    rg__kids_add(b->hoist, rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_var(b->t, own), is)));
    return true;
}

struct rg_cnode *rg__cell_load(struct rg__build *b, struct rg_cnode *place)
{
    struct rg__cell *c = rg__cell_named(b, place);
    if (!c && b->follow && !place->pointer && rg__bundle_any(b, place) && !rg__bundle_is(b, place)) { /* its name */
        place = rg__c_copy(b->t, place);
        place->pointer = true;
    }
    if (!c) return place;
    if (c->quiet) return place;
    if (!c->pointer) {
        if (!(c->set && rg__cell_known(b, c)) && c->origin) rg__cell_decide(b, c->origin, RG__GIVEN);
        if (!rg__cell_known(b, c)) return place;
        /* what is computed of real numbers is not computed anew at each place: it counts where sizes are made of it */
        return c->value && rg__scalar_is_int(c->value->type) ? rg__c_copy(b->t, c->value) : place;
    }
    c->since_read = ++b->follow->reads;
    if (rg__cell_null_or_unset(c->value)) c->null_read = b->follow->reads;
    if (!c->value) { /* a file-scope one is null when the program starts; what is done with it says whether that counts
                      */
        struct rg_cnode *n = rg__c_null(b->t);
        n->kid[0]->var = c->lost ? -1 : place->var;
        if (c->lost && c->lost_by && rg__fix_count(b, c->lost_by)) return n;
        if (c->lost && c->form == RG__BY_VALUE)
            rg__cell_decide(b, c->key, RG__BY_OFFSET);
        else if (c->lost && !b->verbatim)
            b->verbatim = "a pointer leads to a place that may have moved";
        return n;
    }
    if (rg__is_null_pointer(c->value) && !c->maybe_null)
        return rg__c_copy(b->t, c->value); /* whatever it is elsewhere */
    struct rg_cnode *v = c->form == RG__BY_OFFSET && c->alias.array >= 0 ? rg__alias_value(b, &c->alias)
                         : c->view >= 0
                             ? rg__rows_of(b, rg__c_array_name(b->t, c->view), c->alias.extents, c->alias.n_extents)
                             : rg__c_copy(b->t, c->value);
    if (!rg__cell_known(b, c))
        rg__trips_needed(b, c);
    else if (!c->maybe_null)
        return v;
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_CAST, 1); /* its tests are not decided */
    n->pointer = true;
    n->type = v->type;
    n->struct_index = v->struct_index;
    n->kid[0] = v;
    if (!rg__cell_known(b, c)) return n; /* whether there is such a level, only loops over them ask */
    n->text = may_be_null;
    n->var = null_var(b, c);
    n->ivalue = c->key;
    return n;
}

void rg__cell_unset_read(struct rg__build *b, const struct rg_cnode *null)
{
    struct rg__cell *c = b->follow && rg__is_null_pointer(null) ? rg__cell_at(b, null->kid[0]->var) : NULL;
    if (c && c->origin) rg__cell_decide(b, c->origin, RG__GIVEN);
}

static bool store_offset(struct rg__build *b, struct rg__cell *c, struct rg_cnode *v)
{
    if (c->alias.array < 0) {
        c->alias.off_var = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_at", c->name), RG_CVAR_LOCAL, RG_LONG);
        struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 0);
        d->var = c->alias.off_var;
        d->type = RG_LONG;
        rg__kids_add(c->global ? b->front : b->prologue, d);
        c->alias.global = c->global;
    }
    struct rg__sym alias = c->alias;
    bool done = rg__alias_assign(b, &alias, v, false, b->hoist);
    c->alias = alias;
    return done;
}

void rg__cells_lead_elsewhere(struct rg__build *b, int array)
{
    for (int i = 0; b->follow && i < b->follow->n_cells; i++) {
        struct rg__cell *c = &b->follow->cells[i];
        bool offset = c->form == RG__BY_OFFSET && c->alias.array == array;
        if (!c->pointer || c->view >= 0 || !c->value || (!offset && !rg__c_mentions_array(c->value, array))) continue;
        if (c->form == RG__BY_VALUE && rg__cell_whole(c->value)) rg__cell_decide(b, c->key, RG__BY_VIEW);
        c->value = NULL;
        c->lost = true;
    }
}

static bool store_view(struct rg__build *b, struct rg__cell *c, struct rg_cnode *v, CXCursor where)
{
    while (v->kind == RG_C_CAST && v->pointer) v = v->kid[0];
    if (!rg__keeps_extents(b, &c->alias, v, c->view < 0)) return false;
    if (rg__is_rows(v)) v = v->kid[0];
    if (v->kind != RG_C_VAR || v->array < 0) return false;
    if (c->view < 0) {
        struct rg_carray of = b->t->arrays[v->array];
        int a = rg__c_add_array(b->t, c->name, of.elem);
        struct rg_carray *x = &b->t->arrays[a];
        x->struct_index = of.struct_index;
        x->c_elem = of.c_elem;
        x->view = true;
        x->n_dims = of.n_dims;
        x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims * (size_t)of.n_dims);
        x->dims[0] = NULL;
        for (int d = 1; d < of.n_dims; d++) x->dims[d] = of.dims[d];
        c->view = a;
    }
    if (b->t->arrays[c->view].n_dims != b->t->arrays[v->array].n_dims) return false;
    rg__cells_lead_elsewhere(b, c->view);
    struct rg_cnode *st = rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, rg__c_array_name(b->t, c->view), v));
    rg__place_node(b, st, where);
    rg__kids_add(b->hoist, st);
    return true;
}

struct rg_cnode *rg__cell_store(struct rg__build *b, int var, struct rg_cnode *v, CXCursor where)
{
    struct rg__cell *c = rg__cell_at(b, var);
    if (v->kind == RG_C_INT && v->ivalue == 0) v = rg__c_null(b->t); /* p = 0 */
    v = rg__typed_memory(b, v, c->type, c->name, where, c->decl);
    if (b->verbatim) return v;
    c = rg__cell_at(b, var);
    if (!b->hoist && c->form == RG__BY_VALUE) { /* p++ as a loop's step */
        rg__cell_decide(b, c->key, RG__BY_OFFSET);
        return v;
    }
    if (v->pointer && !rg__cell_mark_null(b, c, v)) return rg__verbatim(b, where, "a pointer that may be null is kept");
    c->lost = false;
    c->lost_by = NULL;
    c->trips = 0;
    if (rg__is_null_pointer(v)) {
        c->maybe_null = false;
        c->value = v;
        return v;
    }
    const bool maybe = rg__maybe_null(v) != NULL;
    if (maybe) v = rg__maybe_null(v)->kid[0];
    if (!v->pointer || !b->hoist) return rg__verbatim(b, where, "a pointer is set to something unknown");
    if (!b->c->Cursor_isNull(c->decl)) v = rg__declared_shape(b, v, c->decl);
    const char *why = rg__misshapen(b, v, c->type);
    if (why) return rg__verbatim(b, where, "%s", why);
    if (c->form == RG__BY_VALUE && rg__cell_whole(v) && b->t->arrays[whole_array(v)].view) {
        rg__cell_decide(b, c->key, RG__BY_VIEW);
        return v;
    }
    if (c->form == RG__BY_VIEW && rg__cell_whole(v)) {
        if (!store_view(b, c, v, where))
            return rg__verbatim(b, where, "a pointer is moved to an array of another shape");
    } else if (c->form == RG__BY_OFFSET) {
        if (!store_offset(b, c, v)) return rg__verbatim(b, where, "a pointer is moved to another array");
        c = rg__cell_at(b, var);
    } else if (c->form == RG__BY_VIEW) {
        return rg__verbatim(b, where, "a pointer is set to whole arrays and to places in them");
    } else {
        v = rg__c_copy(b->t, v);
        rg__fix_place(b, v, c->name, b->hoist);
    }
    c = rg__cell_at(b, var);
    c->value = v;
    c->maybe_null = maybe;
    return rg__c_copy(b->t, v);
}

/* ---- attempts ---- */

void rg__follow_release(struct rg__follow *f)
{
    free(f->cells);
    free(f->by_var);
    free(f->memory);
    f->cells = NULL;
    f->by_var = NULL;
    f->memory = NULL;
    f->n_cells = f->cap_cells = f->n_by_var = f->cap_by_var = f->n_memory = f->cap_memory = 0;
    f->n_blocks = 0;
}

/* A number that varies in a loop may be known in each of its iterations, once these are read one by one. */
static void vary_again(struct rg__follow *f)
{
    bool unrolled = false, levels = false; /* before these are, places of one level look like those of another */
    int n = 0;
    for (int i = 0; i < f->n_forms; i++)
        unrolled |= (f->forms[i].form == RG__UNROLLED || f->forms[i].form == RG__BY_TRIPS) &&
                    f->forms[i].attempt == f->attempts;
    unrolled |= f->n_fixed > f->fixed_before; /* a size that is a number now says as much, .. */
    for (int i = 0; i < f->n_forms && f->n_fixed > f->fixed_before; i++)
        if (f->forms[i].form == RG__BY_TRIPS) f->forms[i].form = RG__UNROLLED; /* .. perhaps how often loops go round */
    f->fixed_before = f->n_fixed;
    for (int i = 0; i < f->n_forms; i++)
        levels |= f->forms[i].form == RG__BY_TRIPS && f->forms[i].attempt == f->attempts;
    for (int i = 0; i < f->n_forms && unrolled; i++)
        if (f->forms[i].form > RG__VARIES || (!levels && f->forms[i].form < RG__VARIES)) f->forms[n++] = f->forms[i];
    if (unrolled) f->n_forms = n;
}

bool rg__follow_again(struct rg__follow *f)
{
    vary_again(f);
    bool again = f->again && ++f->attempts < MAX_ATTEMPTS;
    rg__follow_release(f);
    f->again = f->dead = false;
    f->exits = NULL;
    f->decls = NULL;
    f->loops = f->conditions = 0;
    f->around = f->around_call = NULL;
    f->n_trips = f->n_again = 0;
    f->span = f->span_call = NULL;
    f->labels = NULL;
    f->reads = f->sets = 0;
    f->path = 0;
    return again;
}
