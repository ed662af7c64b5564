/* Scalar replacement of aggregates, through calls. A structure that a loop carries and a function of the file updates
 * as a whole is updated by members, s = add(s, scale(x[i], w[i]));     as  s.x = s.x + x[i].x * w[i];  s.y = .. by
 * running the functions on expressions: straight lines, conditions as choices, calls of one another. What else they do,
 * or an expression that gets long, leaves the call as it is. So is one that another is copied to, best = run;  or an
 * element, best = p[i];  where the loop names nothing but its members beside that. What the members are afterwards is
 * for those passes to see that know sums, minima and running values. */
#include "frontend/load.h"
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 16, MOST_NODES = 400, DEEP = 6 };

struct record { /* members in the order of the structure's fields */
    int structure;
    struct rg_cnode *field[MOST_FIELDS];
};

struct binding {
    struct rg_cnode *scalar; /* NULL: it has no value yet */
    struct record record;
};

struct frame { /* a call; NULL: the function itself */
    const struct rg__helper_tree *h;
    struct binding *var;
    int depth;
};

struct updates {
    struct rg__load *l;
    struct rg_ctree *t;
};

static const struct rg_struct *structure(const struct updates *u, int index)
{
    const struct rg_struct *s = index >= 0 && index < u->l->p->n_structs ? &u->l->p->structs[index] : NULL;
    if (!s || s->n_fields > MOST_FIELDS) return NULL;
    for (int i = 0; i < s->n_fields; i++)
        if (s->fields[i].count != 1 || s->fields[i].bits || strchr(s->fields[i].path, '[')) return NULL;
    return s;
}

/* e.path, of a structure that can be named. */
static struct rg_cnode *member(const struct updates *u, const struct rg_cnode *e, const char *path, enum rg_scalar type)
{
    struct rg_cnode *n = rg__c_copy(u->t, e);
    for (const char *dot; *path; path = *dot ? dot + 1 : dot) {
        dot = path + strcspn(path, ".");
        struct rg_cnode *m = rg_cnode_new(u->t, RG_C_MEMBER, 1);
        m->text = rg_arena_printf(&u->t->arena, "%.*s", (int)(dot - path), path);
        m->type = *dot ? RG_STRUCT : type;
        m->kid[0] = n;
        n = m;
    }
    return n;
}

static struct rg_cnode *scalar_of(const struct updates *u, const struct frame *f, const struct rg_cnode *e);
static bool record_of(const struct updates *u, const struct frame *f, const struct rg_cnode *e, struct record *out);
static bool called(const struct updates *u, const struct frame *f, const struct rg_cnode *call, struct binding *out);

/* The structure and the path that a member is of. */
static const struct rg_cnode *path_of(const struct updates *u, const struct rg_cnode *e, const char **path)
{
    *path = "";
    for (; e->kind == RG_C_MEMBER && e->n == 1 && !e->kid[0]->pointer; e = e->kid[0])
        *path = rg_arena_printf(&u->t->arena, **path ? "%s.%s" : "%s%s", e->text, *path);
    return e;
}

static int field_of(const struct rg_struct *s, const char *path)
{
    for (int i = 0; s && i < s->n_fields; i++)
        if (!strcmp(s->fields[i].path, path)) return i;
    return -1;
}

static struct rg_cnode *translated(const struct updates *u, const struct frame *f, const struct rg_cnode *e)
{
    struct rg_cnode *n = rg_cnode_new(u->t, e->kind, e->n), **kid = n->kid;
    *n = *e;
    n->kid = kid;
    n->text = e->text ? rg_arena_strdup(&u->t->arena, e->text) : NULL; /* the helper's tree goes */
    for (int i = 0; i < e->n; i++)
        if (!(kid[i] = scalar_of(u, f, e->kid[i]))) return NULL;
    return n;
}

static struct rg_cnode *scalar_of(const struct updates *u, const struct frame *f, const struct rg_cnode *e)
{
    struct binding b;
    if (e->type == RG_STRUCT || e->pointer) return NULL;
    if (e->kind == RG_C_CALL && e->callee >= 0) return called(u, f, e, &b) ? b.scalar : NULL;
    if (!f) return rg__c_pure(u->t, e) ? rg__c_copy(u->t, e) : NULL;
    switch (e->kind) {
    case RG_C_VAR:
        return e->array < 0 && f->var[e->var].scalar ? rg__c_copy(u->t, f->var[e->var].scalar) : NULL;
    case RG_C_MEMBER: {
        const char *path;
        struct record r;
        const struct rg_cnode *root = path_of(u, e, &path);
        int at = record_of(u, f, root, &r) ? field_of(structure(u, r.structure), path) : -1;
        return at >= 0 && r.field[at] ? rg__c_copy(u->t, r.field[at]) : NULL;
    }
    case RG_C_CALL:
        return e->text && rg__c_pure_library(e->text) ? translated(u, f, e) : NULL;
    case RG_C_UNARY:
        return e->op == RG_COP_ADDRESS || e->op == RG_COP_DEREF ? NULL : translated(u, f, e);
    case RG_C_CAST:
    case RG_C_INT:
    case RG_C_REAL:
    case RG_C_BINARY:
    case RG_C_COND:
        return translated(u, f, e);
    default:
        return NULL;
    }
}

/* {a, b, {c, d}}: the fields from `at` on. */
static bool listed(const struct updates *u, const struct frame *f, const struct rg_cnode *list,
                   const struct rg_struct *s, struct record *out, int *at)
{
    for (int i = 0; i < list->n; i++) {
        const struct rg_cnode *e = list->kid[i];
        if (!e) return false;
        if (e->kind == RG_C_INITLIST) {
            if (!listed(u, f, e, s, out, at)) return false;
        } else if (e->type == RG_STRUCT) {
            struct record inner;
            const struct rg_struct *of = structure(u, e->struct_index);
            if (!of || !record_of(u, f, e, &inner) || *at + of->n_fields > s->n_fields) return false;
            for (int k = 0; k < of->n_fields; k++) out->field[(*at)++] = inner.field[k];
        } else {
            struct rg_cnode *v = *at < s->n_fields ? scalar_of(u, f, e) : NULL;
            if (!v) return false;
            out->field[*at] = rg__c_cast(u->t, v, s->fields[*at].type);
            (*at)++;
        }
    }
    return true;
}

static struct rg_cnode *choice(const struct updates *u, struct rg_cnode *c, struct rg_cnode *a, struct rg_cnode *b)
{
    if (!a || !b || rg__c_equal(a, b)) return a == b || (a && b) ? a : NULL;
    return rg__c_choice(u->t, rg__c_copy(u->t, c), a, b);
}

static bool record_of(const struct updates *u, const struct frame *f, const struct rg_cnode *e, struct record *out)
{
    const struct rg_struct *s = structure(u, e->struct_index);
    struct binding b;
    struct record r;
    const char *path;
    if (e->type != RG_STRUCT || e->pointer || !s) return false;
    *out = (struct record){.structure = e->struct_index};
    if (e->kind == RG_C_CALL) {
        if (e->callee < 0 || !called(u, f, e, &b) || b.scalar) return false;
        *out = b.record;
        return out->structure == e->struct_index;
    }
    if (e->kind == RG_C_VAR && e->array < 0 && f) {
        *out = f->var[e->var].record;
        return true;
    }
    if (e->kind == RG_C_INITLIST || (e->kind == RG_C_CAST && e->n == 1 && e->kid[0]->kind == RG_C_INITLIST)) {
        int at = 0;
        return listed(u, f, e->kind == RG_C_CAST ? e->kid[0] : e, s, out, &at) && at == s->n_fields;
    }
    if (e->kind == RG_C_MEMBER && f) {
        const struct rg_cnode *root = path_of(u, e, &path);
        const struct rg_struct *of = structure(u, root->struct_index);
        if (!of || !record_of(u, f, root, &r)) return false;
        for (int i = 0; i < s->n_fields; i++) {
            int at = field_of(of, rg_arena_printf(&u->t->arena, "%s.%s", path, s->fields[i].path));
            if (at < 0) return false;
            out->field[i] = r.field[at];
        }
        return true;
    }
    if (f || (e->kind != RG_C_VAR && e->kind != RG_C_INDEX && e->kind != RG_C_MEMBER) || !rg__c_pure(u->t, e))
        return false;
    for (int i = 0; i < s->n_fields; i++) out->field[i] = member(u, e, s->fields[i].path, s->fields[i].type);
    return true;
}

/* ---- a call ---- */

enum outcome { GOES_ON, RETURNED, UNABLE };
static enum outcome run(const struct updates *u, struct frame *f, const struct rg_cnode *list, int from,
                        struct binding *out);

/* The place of an assignment's target: a variable, or a field of one (*field >= 0). */
static struct binding *target_of(const struct updates *u, struct frame *f, const struct rg_cnode *e, int *field)
{
    const char *path;
    const struct rg_cnode *root = path_of(u, e, &path);
    *field = -1;
    if (root->kind != RG_C_VAR || root->array >= 0 || root->pointer) return NULL;
    if (*path && (*field = field_of(structure(u, root->struct_index), path)) < 0) return NULL;
    return &f->var[root->var];
}

static bool assigned(const struct updates *u, struct frame *f, const struct rg_cnode *e)
{
    int field;
    struct binding *b = e->kind == RG_C_ASSIGN ? target_of(u, f, e->kid[0], &field) : NULL;
    if (!b) return false;
    if (e->kid[0]->type == RG_STRUCT) {
        struct record r;
        if (field >= 0 || e->op != RG_COP_SET || !record_of(u, f, e->kid[1], &r)) return false;
        b->record = r;
        return true;
    }
    struct rg_cnode *v = scalar_of(u, f, e->kid[1]), **to = field >= 0 ? &b->record.field[field] : &b->scalar;
    if (!v || (e->op != RG_COP_SET && !*to)) return false;
    if (e->op != RG_COP_SET) v = rg__c_binary(u->t, rg_c_applied(e->op), rg__c_copy(u->t, *to), v);
    *to = rg__c_cast(u->t, v, e->kid[0]->type);
    return rg__c_size(*to) <= MOST_NODES;
}

static bool declared(const struct updates *u, struct frame *f, const struct rg_cnode *s)
{
    if (s->array >= 0) return false;
    const struct rg_cvar *v = &f->h->t->vars[s->var];
    struct binding *b = &f->var[s->var];
    *b = (struct binding){.record.structure = v->struct_index};
    if (!s->n) return true;
    if (v->type != RG_STRUCT) {
        b->scalar = scalar_of(u, f, s->kid[0]);
        if (b->scalar) b->scalar = rg__c_cast(u->t, b->scalar, v->type);
        return b->scalar != NULL;
    }
    const struct rg_struct *of = structure(u, v->struct_index);
    int at = 0;
    if (s->kid[0]->kind != RG_C_INITLIST) return record_of(u, f, s->kid[0], &b->record);
    return of && listed(u, f, s->kid[0], of, &b->record, &at) && at == of->n_fields;
}

static void merge(const struct updates *u, struct binding *into, struct rg_cnode *c, const struct binding *yes,
                  const struct binding *no)
{
    *into = (struct binding){.scalar = choice(u, c, yes->scalar, no->scalar), .record = yes->record};
    for (int i = 0; i < MOST_FIELDS; i++)
        into->record.field[i] = choice(u, c, yes->record.field[i], no->record.field[i]);
}

/* A condition, and what stands behind it in the list where an arm returns. */
static enum outcome branched(const struct updates *u, struct frame *f, const struct rg_cnode *list, int at,
                             struct binding *out)
{
    const struct rg_cnode *s = list->kid[at];
    struct rg_cnode *c = scalar_of(u, f, s->kid[0]);
    size_t n = (size_t)f->h->t->n_vars;
    struct frame other = *f;
    struct binding result[2];
    enum outcome end[2];
    if (!c) return UNABLE;
    other.var = rg_xcalloc(n + 1, sizeof *other.var);
    memcpy(other.var, f->var, n * sizeof *other.var);
    end[0] = run(u, f, s->kid[1], 0, &result[0]);
    end[1] = s->n > 2 && s->kid[2] ? run(u, &other, s->kid[2], 0, &result[1]) : GOES_ON;
    bool returns = end[0] == RETURNED || end[1] == RETURNED;
    if (returns && end[0] == GOES_ON) end[0] = run(u, f, list, at + 1, &result[0]);
    if (returns && end[1] == GOES_ON) end[1] = run(u, &other, list, at + 1, &result[1]);
    enum outcome o = end[0] == end[1] ? end[0] : UNABLE;
    if (o == RETURNED) merge(u, out, c, &result[0], &result[1]);
    for (size_t v = 0; v < n && o == GOES_ON; v++) {
        struct binding yes = f->var[v];
        merge(u, &f->var[v], c, &yes, &other.var[v]);
    }
    free(other.var);
    return o;
}

static enum outcome run(const struct updates *u, struct frame *f, const struct rg_cnode *list, int from,
                        struct binding *out)
{
    if (list->kind != RG_C_BLOCK) return UNABLE;
    for (int i = from; i < list->n; i++) {
        const struct rg_cnode *s = list->kid[i];
        enum outcome o = GOES_ON;
        switch (s->kind) {
        case RG_C_BLOCK:
            o = run(u, f, s, 0, out);
            break;
        case RG_C_DECL:
            o = declared(u, f, s) ? GOES_ON : UNABLE;
            break;
        case RG_C_STMT:
            o = assigned(u, f, s->kid[0]) ? GOES_ON : UNABLE;
            break;
        case RG_C_IF:
            o = branched(u, f, list, i, out);
            break;
        case RG_C_RETURN:
            if (!s->n || !s->kid[0]) return UNABLE;
            *out = (struct binding){.record.structure = -1};
            if (s->kid[0]->type == RG_STRUCT) return record_of(u, f, s->kid[0], &out->record) ? RETURNED : UNABLE;
            out->scalar = scalar_of(u, f, s->kid[0]);
            if (out->scalar) out->scalar = rg__c_cast(u->t, out->scalar, f->h->result);
            return out->scalar ? RETURNED : UNABLE;
        default:
            return UNABLE;
        }
        if (o != GOES_ON) return o;
    }
    return GOES_ON;
}

static bool called(const struct updates *u, const struct frame *f, const struct rg_cnode *call, struct binding *out)
{
    const struct rg__helper_tree *h = call->text ? rg__helper_tree(&u->l->b, call->text) : NULL;
    struct frame g = {h, NULL, f ? f->depth + 1 : 0};
    if (!h || g.depth == DEEP || h->n_params != call->n || (h->prologue && h->prologue->n)) return false;
    g.var = rg_xcalloc((size_t)h->t->n_vars + 1, sizeof *g.var);
    bool ok = true;
    for (int i = 0; i < call->n && ok; i++) {
        int v = h->params[i].var;
        ok = v >= 0 && h->params[i].array < 0;
        if (ok && call->kid[i]->type == RG_STRUCT)
            ok = record_of(u, f, call->kid[i], &g.var[v].record);
        else if (ok && (g.var[v].scalar = scalar_of(u, f, call->kid[i])))
            g.var[v].scalar = rg__c_cast(u->t, g.var[v].scalar, h->t->vars[v].type);
        else
            ok = false;
    }
    ok = ok && run(u, &g, h->body, 0, out) == RETURNED;
    for (int i = 0; i < MOST_FIELDS && ok; i++)
        ok = !out->record.field[i] || rg__c_size(out->record.field[i]) <= MOST_NODES;
    free(g.var);
    return ok;
}

/* ---- where it is done ---- */

static bool mentions_other(const struct rg_cnode *n, int var, const struct rg_cnode *field)
{
    if (!n || rg__c_equal(n, field)) return false;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == var) return true;
    for (int i = 0; i < n->n; i++)
        if (mentions_other(n->kid[i], var, field)) return true;
    return false;
}

static bool is_local(const struct updates *u, const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer && u->t->vars[e->var].kind == RG_CVAR_LOCAL &&
           (var < 0 || e->var == var);
}

/* s = e, of a local structure. */
static bool sets_whole(const struct updates *u, const struct rg_cnode *e)
{
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->type == RG_STRUCT && is_local(u, e->kid[0], -1);
}

/* Is the structure set as a whole in n, and copied to other locals, but beside that named by members alone, and read?
 */
static bool named_by_members(const struct updates *u, const struct rg_cnode *n, int var, bool *reads)
{
    const char *path;
    if (!n || !rg__c_mentions_var(n, var)) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || n->op == RG_COP_ADDRESS || is_local(u, n, var))
        return false;
    if (n->kind == RG_C_MEMBER && n->type != RG_STRUCT && !n->pointer && is_local(u, path_of(u, n, &path), var)) {
        *reads = true;
        return true;
    }
    const bool whole = sets_whole(u, n), chosen = n->kind == RG_C_COND && n->type == RG_STRUCT;
    for (int i = 0; i < n->n; i++)
        if (!((whole || (chosen && i)) && is_local(u, n->kid[i], var)) && !named_by_members(u, n->kid[i], var, reads))
            return false;
    return true;
}

/* Does the statement copy to a structure that comes into the loop from outside? */
static bool copies(const struct updates *u, const struct rg_cnode *e, const struct rg_cnode *loop)
{
    const int var = e->kid[0]->var;
    bool reads = false;
    if (rg__c_declares(loop, var)) return false;
    for (int v = 0; v < u->t->n_vars; v++) {
        bool any = false;
        if (v == var || u->t->vars[v].type != RG_STRUCT || !rg__c_mentions_var(e->kid[1], v)) continue;
        if (rg__c_declares(loop, v) || !named_by_members(u, loop, v, &any)) return false;
    }
    return named_by_members(u, loop, var, &reads) && reads;
}

/* What stands for e in the list: c ? a : b goes by a flag, which is declared in it. False: e can't be said by members.
 */
static bool record_by_flag(const struct updates *u, const struct rg_cnode *e, const struct rg_cnode *at,
                           struct rg__kids *out, struct record *r)
{
    struct rg_ctree *t = u->t;
    struct record arm[2];
    if (e->kind != RG_C_COND) return record_of(u, NULL, e, r);
    struct rg_cnode *c = scalar_of(u, NULL, e->kid[0]);
    const struct rg_struct *s = structure(u, e->struct_index);
    if (!c || !s || !record_of(u, NULL, e->kid[1], &arm[0]) || !record_of(u, NULL, e->kid[2], &arm[1]) ||
        arm[0].structure != arm[1].structure)
        return false;
    struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), at), *flag;
    d->var = rg__c_add_var(t, "taken", RG_CVAR_LOCAL, RG_I32);
    d->type = RG_I32;
    d->kid[0] = rg__c_binary(t, RG_COP_NE, c, rg__c_int(t, 0));
    if (rg_c_logic(c->op)) d->kid[0] = c;
    flag = rg__c_var(t, d->var);
    *r = (struct record){.structure = arm[0].structure};
    for (int i = 0; i < s->n_fields; i++)
        if (!(r->field[i] = choice(u, flag, arm[0].field[i], arm[1].field[i]))) return false;
    rg__kids_add(out, d);
    return true;
}

/* s = f(s, ..) and copies by members; false: it stays. */
static bool by_members(const struct updates *u, const struct rg_cnode *s, const struct rg_cnode *loop,
                       struct rg__kids *out)
{
    struct rg_ctree *t = u->t;
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || !sets_whole(u, e)) return false;
    int var = e->kid[0]->var;
    struct record r;
    const struct rg_struct *of = structure(u, e->kid[0]->struct_index);
    const bool updates = e->kid[1]->kind == RG_C_CALL && rg__c_mentions_var(e->kid[1], var);
    if (!of || (!updates && !copies(u, e, loop)) || !record_by_flag(u, e->kid[1], s, out, &r)) return false;
    bool tied = false;
    struct rg_cnode *field[MOST_FIELDS];
    for (int i = 0; i < of->n_fields; i++) {
        field[i] = member(u, e->kid[0], of->fields[i].path, of->fields[i].type);
        if (!r.field[i]) return false;
        tied = tied || mentions_other(r.field[i], var, field[i]);
    }
    for (int i = 0; i < of->n_fields && tied; i++) { /* all of the old ones count */
        struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), s);
        d->var = rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_%s", t->vars[var].name, field[i]->text), RG_CVAR_LOCAL,
                               of->fields[i].type);
        d->type = of->fields[i].type;
        d->kid[0] = rg__c_cast(t, r.field[i], d->type);
        r.field[i] = rg__c_var(t, d->var);
        rg__kids_add(out, d);
    }
    for (int i = 0; i < of->n_fields; i++)
        if (!rg__c_equal(field[i], r.field[i]))
            rg__kids_add(out, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, field[i],
                                                                      rg__c_cast(t, r.field[i], of->fields[i].type))),
                                           s));
    return true;
}

static void walk(const struct updates *u, struct rg_cnode *n, const struct rg_cnode *loop)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM) return;
    if (n->kind == RG_C_LOOP || n->kind == RG_C_FOR || n->kind == RG_C_WHILE) loop = n;
    for (int i = 0; i < n->n; i++) {
        struct rg__kids with = {0};
        const struct rg_cnode *s = n->kid[i];
        if (n->kind == RG_C_BLOCK && loop && s->kind == RG_C_STMT && by_members(u, s, loop, &with)) {
            int more = with.n - 1;
            rg__block_splice(u->t, n, i, 1, &with);
            i += more;
        } else {
            walk(u, n->kid[i], loop);
        }
    }
}

enum rg_status rg__canon_whole_updates(struct rg__load *l)
{
    struct updates u = {l, l->t};
    walk(&u, l->t->root, NULL);
    return RG_OK;
}
