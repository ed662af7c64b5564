/* Iterated stencils: recognition, by the subscripts' linear forms and the dependence tests of the loops. */
#include "poly/analysis/iterated_stencil.h"
#include <stdarg.h>
#include <string.h>

struct finding {
    struct poly_stencil *st;
    struct poly_scop *s;
    struct rg_reason *why;
};

#define refuse(f, ...) rg_refuse((f)->why, __VA_ARGS__)

static const char *file_of(const struct finding *f)
{
    return f->s->problem->file ? f->s->problem->file : "?";
}

/* ---- sweeps: the statements in the order of the file ---- */

/* The scalar that the statement sets; -1. */
static int scalar_set(const struct rg_cnode *n)
{
    if (n->kind == RG_C_DECL) return n->array < 0 ? n->var : -1;
    const struct rg_cnode *e = n->kid[0], *to = rg__poly_has_effects(e) && e->n ? e->kid[0] : NULL;
    return to && to->kind == RG_C_VAR && to->array < 0 ? to->var : -1;
}

/* Does the statement set it without looking at what it was? */
static bool sets_anew(const struct rg_cnode *n, int var)
{
    const struct rg_cnode *e = n->n ? n->kid[0] : NULL;
    if (!e || scalar_set(n) != var) return false;
    if (n->kind == RG_C_DECL) return true;
    return e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && !rg__c_mentions_var(e->kid[1], var);
}

static bool reads_first(const struct poly_sweep *w, int var)
{
    for (int i = 0; i < w->n_items && !sets_anew(w->item[i], var); i++)
        if (rg__c_mentions_var(w->item[i], var)) return true;
    return false;
}

/* The statement as part of the latest sweep (its neighbours share a scalar) or as one of its own. */
static bool add_item(struct finding *f, const struct rg_cnode *n, bool joined)
{
    struct poly_stencil *st = f->st;
    if (!joined) {
        if (st->n_sweeps == STENCIL_SWEEPS)
            return refuse(f, RG_REFUSE_SPACE, n->line, "%s:%d: the time loop has more than %d statements", file_of(f),
                          n->line, STENCIL_SWEEPS);
        st->sweep[st->n_sweeps++] = (struct poly_sweep){0};
    }
    struct poly_sweep *w = &st->sweep[st->n_sweeps - 1];
    if (w->n_items == STENCIL_ITEMS)
        return refuse(f, RG_REFUSE_SPACE, n->line, "%s:%d: more than %d statements share scalars", file_of(f), n->line,
                      STENCIL_ITEMS);
    w->item[w->n_items++] = n;
    return true;
}

static bool is_statement(const struct rg_cnode *n)
{
    return n->kind == RG_C_STMT || (n->kind == RG_C_DECL && n->array < 0);
}

static bool sets_scalars(const struct rg_cnode *body)
{
    for (int i = 0; i < body->n; i++)
        if (is_statement(body->kid[i]) && scalar_set(body->kid[i]) >= 0) return true;
    return false;
}

static bool free_loop(struct finding *f, const struct rg_cnode *n)
{
    int loop = rg__poly_loop_of(f->s, n);
    const struct poly_loop *l = &f->s->loops[loop];
    int around[POLY_MAX_DEPTH], n_around = 0;
    if (n->n > 3)
        return refuse(f, RG_REFUSE_SHAPE, n->line, "loop %s (%s:%d) ends when its data says so", l->name, file_of(f),
                      n->line);
    if (l->step != 1 && l->step != -1)
        return refuse(f, RG_REFUSE_SHAPE, n->line, "loop %s (%s:%d) goes in steps of %lld", l->name, file_of(f),
                      n->line, (long long)l->step);
    for (int p = l->parent; p >= 0; p = f->s->loops[p].parent) around[n_around++] = p;
    struct poly_conflict c = rg__poly_conflict(f->s, loop, around, n_around, POLY_STRICT);
    if (!c.found) return true;
    char text[256];
    rg__poly_conflict_text(f->s, loop, &c, text, sizeof text);
    return refuse(f, c.limit ? RG_REFUSE_ANALYSIS : RG_REFUSE_DEPENDENCE, n->line, "%s", text);
}

static bool gather(struct finding *f, const struct rg_cnode *n, bool *joined)
{
    switch (n->kind) {
    case RG_C_BLOCK: {
        bool shares = sets_scalars(n), own = false;
        for (int i = 0; i < n->n; i++)
            if (!gather(f, n->kid[i], shares && joined ? joined : &own))
                return false;
            else if (!shares)
                own = false;
        return true;
    }
    case RG_C_LOOP: {
        bool own = false;
        *joined = false;
        return free_loop(f, n) && gather(f, n->kid[2], &own);
    }
    case RG_C_STMT:
    case RG_C_DECL:
        if (n->kind == RG_C_DECL && n->array >= 0)
            return refuse(f, RG_REFUSE_SHAPE, n->line, "%s:%d: array %s is declared inside the time loop", file_of(f),
                          n->line, f->s->tree->arrays[n->array].name);
        if (n->kind == RG_C_DECL && !n->n) return true;
        if (n->kind == RG_C_STMT && n->kid[0]->kind != RG_C_ASSIGN && n->kid[0]->kind != RG_C_INCDEC)
            return refuse(f, RG_REFUSE_ANALYSIS, n->line, "%s:%d: a function is called for what it does", file_of(f),
                          n->line);
        if (!add_item(f, n, *joined)) return false;
        *joined = true;
        return true;
    case RG_C_OPAQUE:
        return refuse(f, RG_REFUSE_ANALYSIS, n->line, "%s:%d: %s", file_of(f), n->line,
                      n->why ? n->why : "it is not affine");
    default:
        return refuse(f, RG_REFUSE_SHAPE, n->line, "%s:%d: a condition stands around statements of the time loop",
                      file_of(f), n->line);
    }
}

/* ---- accesses ---- */

/* The loop below the time loop whose variable alone, plus a number, the subscript is; -1. */
static int moving_with(const struct finding *f, const struct poly_stmt *st, const struct poly_linear *l)
{
    if (!l->ok || l->n != 1 || l->term[0].c != 1) return -1;
    for (int d = 0; d < st->depth; d++)
        if (f->s->loops[st->loops[d]].var == l->term[0].var && st->loops[d] != f->st->loop &&
            rg__poly_loop_inside(f->s, st->loops[d], f->st->loop))
            return st->loops[d];
    return -1;
}

/* Does the form stand still while the time loop runs? */
static bool steady(const struct finding *f, const struct poly_linear *l)
{
    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < f->s->n_loops; k++)
            if (f->s->loops[k].var == l->term[i].var && rg__poly_loop_inside(f->s, k, f->st->loop)) return false;
    return l->ok;
}

static bool place_sweep(struct finding *f, struct poly_sweep *w, const struct poly_access *a, bool first)
{
    const struct poly_stmt *st = &f->s->stmts[a->stmt];
    const char *name = f->s->tree->arrays[a->array].name;
    for (int d = 0; d < a->n_subs; d++) {
        int loop = moving_with(f, st, &a->sub[d]);
        if (loop < 0 && !steady(f, &a->sub[d]))
            return refuse(f, RG_REFUSE_BOUNDS, st->line,
                          "%s:%d: subscript %d of %s, which is written, is not a loop's variable plus a constant",
                          file_of(f), st->line, d + 1, name);
        for (int e = 0; e < d && loop >= 0; e++)
            if (w->loop[e] == loop)
                return refuse(f, RG_REFUSE_BOUNDS, st->line, "%s:%d: two subscripts of %s move with loop %s",
                              file_of(f), st->line, name, f->s->loops[loop].name);
        bool same = !first && w->loop[d] == loop &&
                    (loop >= 0 ? w->shift[d] == a->sub[d].k : rg__poly_linear_equal(&w->at[d], &a->sub[d]));
        if (!first && !same)
            return refuse(f, RG_REFUSE_DEPENDENCE, st->line,
                          "%s:%d: statements that share a scalar write different points (%s)", file_of(f), st->line,
                          name);
        w->loop[d] = loop;
        w->shift[d] = a->sub[d].k;
        w->at[d] = a->sub[d];
    }
    return true;
}

static bool distance_of(const struct finding *f, const struct poly_sweep *w, const struct poly_access *a,
                        int64_t by[STENCIL_DIMS])
{
    const struct poly_stmt *st = &f->s->stmts[a->stmt];
    for (int d = 0; d < f->st->n_dims; d++) {
        int loop = moving_with(f, st, &a->sub[d]);
        if (loop != w->loop[d]) return false;
        if (loop < 0 && !rg__poly_linear_same_terms(&a->sub[d], &w->at[d])) return false;
        by[d] = a->sub[d].k - (loop < 0 ? w->at[d].k : w->shift[d]);
    }
    return true;
}

static bool plain(const struct finding *f, const struct poly_access *a)
{
    return a->affine && (a->certain || !a->write) && !a->whole && !a->member && a->node &&
           a->node->kind == RG_C_INDEX && a->n_subs == f->st->n_dims && f->s->tree->arrays[a->array].elem != RG_STRUCT;
}

static int stmt_of(const struct finding *f, const struct rg_cnode *item)
{
    return rg__poly_stmt_of(f->s, item);
}

/* Calls fn for each access to an array in the time loop. */
static bool each_access(struct finding *f,
                        bool (*fn)(struct finding *f, struct poly_sweep *w, const struct poly_access *a))
{
    for (int i = 0; i < f->st->n_sweeps; i++)
        for (int k = 0; k < f->st->sweep[i].n_items; k++) {
            int id = stmt_of(f, f->st->sweep[i].item[k]);
            for (int x = 0; id >= 0 && x < f->s->stmts[id].n_accesses; x++)
                if (!fn(f, &f->st->sweep[i], &f->s->accesses[f->s->stmts[id].first_access + x])) return false;
        }
    return true;
}

static bool take_write(struct finding *f, struct poly_sweep *w, const struct poly_access *a)
{
    struct poly_stencil *st = f->st;
    const struct rg_carray *c = &f->s->tree->arrays[a->array];
    if (!a->write) return true;
    int line = f->s->stmts[a->stmt].line;
    if (!st->n_dims) st->n_dims = a->n_subs;
    if (a->n_subs != st->n_dims || st->n_dims > STENCIL_DIMS)
        return refuse(f, RG_REFUSE_SHAPE, line,
                      st->n_dims > STENCIL_DIMS ? "%s:%d: %s has more than three dimensions"
                                                : "%s:%d: %s has fewer or more dimensions than others that are written",
                      file_of(f), line, c->name);
    if (!plain(f, a))
        return refuse(f, RG_REFUSE_BOUNDS, line, "%s:%d: which element of %s is written is not known beforehand",
                      file_of(f), line, c->name);
    if (!c->dims[0])
        return refuse(f, RG_REFUSE_BOUNDS, line, "%s:%d: the extent of %s is not known", file_of(f), line, c->name);
    if (!place_sweep(f, w, a, w->everywhere)) return false;
    w->everywhere = false;
    int at = rg__poly_stencil_array(st, a->array);
    if (at < 0 && st->n_arrays == STENCIL_ARRAYS)
        return refuse(f, RG_REFUSE_SPACE, line, "%s:%d: the time loop works on more than %d arrays", file_of(f), line,
                      STENCIL_ARRAYS);
    if (at < 0) st->array[at = st->n_arrays++] = (struct poly_stencil_array){.array = a->array, .fresh = -1};
    st->array[at].written = true;
    return true;
}

/* An array that is only read: is every access to it at a constant distance? Then a tile may hold it as well. */
static bool take_read(struct finding *f, struct poly_sweep *w, const struct poly_access *a)
{
    int64_t by[STENCIL_DIMS];
    struct poly_stencil *st = f->st;
    const struct rg_carray *c = &f->s->tree->arrays[a->array];
    if (rg__poly_stencil_array(st, a->array) >= 0 || st->n_arrays == STENCIL_ARRAYS || w->everywhere || !plain(f, a) ||
        !c->dims[0] || c->constant_table || !distance_of(f, w, a, by))
        return true;
    st->array[st->n_arrays++] = (struct poly_stencil_array){.array = a->array, .fresh = -1};
    return true;
}

/* Takes what is only read, and not always at a constant distance, out again. */
static bool drop_far(struct finding *f, struct poly_sweep *w, const struct poly_access *a)
{
    int64_t by[STENCIL_DIMS];
    struct poly_stencil *st = f->st;
    int at = rg__poly_stencil_array(st, a->array);
    if (at < 0 || st->array[at].written || (!w->everywhere && plain(f, a) && distance_of(f, w, a, by))) return true;
    memmove(&st->array[at], &st->array[at + 1], sizeof st->array[0] * (size_t)(st->n_arrays - at - 1));
    st->n_arrays--;
    return true;
}

static bool list_access(struct finding *f, struct poly_sweep *w, const struct poly_access *a)
{
    struct poly_stencil *st = f->st;
    int at = rg__poly_stencil_array(st, a->array);
    const struct poly_stmt *in = &f->s->stmts[a->stmt];
    const char *name = f->s->tree->arrays[a->array].name;
    if (at < 0)
        return a->whole && !f->s->tree->arrays[a->array].is_const
                   ? refuse(f, RG_REFUSE_ANALYSIS, in->line, "%s:%d: %s is passed on as a whole", file_of(f), in->line,
                            name)
                   : true;
    if (st->n_accesses == STENCIL_ACCESSES)
        return refuse(f, RG_REFUSE_SPACE, in->line, "%s:%d: the time loop has more than %d accesses", file_of(f),
                      in->line, STENCIL_ACCESSES);
    struct poly_stencil_access *x = &st->access[st->n_accesses];
    *x = (struct poly_stencil_access){.node = a->node, .array = at, .write = a->write};
    if (w->everywhere || !plain(f, a) || !distance_of(f, w, a, x->by))
        return refuse(f, RG_REFUSE_SHAPE, in->line,
                      "%s:%d: %s, which the time loop writes, is read at no constant distance from the point that is "
                      "written",
                      file_of(f), in->line, name);
    if (!w->n_accesses) w->first_access = st->n_accesses;
    w->n_accesses++;
    st->n_accesses++;
    return true;
}

/* ---- scalars, bounds ---- */

static bool scalars_stay(struct finding *f)
{
    const struct poly_scop *s = f->s;
    for (int v = 0; v < s->tree->n_vars; v++) {
        if (s->tree->vars[v].kind == RG_CVAR_ITER || s->var_hidden[v] || rg__poly_scalar_private(s, f->st->loop, v))
            continue;
        return refuse(f, RG_REFUSE_DEPENDENCE, s->loops[f->st->loop].node->line,
                      "scalar %s goes from one iteration of loop %s (%s:%d) to another or out of it",
                      s->tree->vars[v].name, s->loops[f->st->loop].name, file_of(f), s->loops[f->st->loop].node->line);
    }
    /* what a sweep sets it alone reads, but for what is set for all */
    for (int i = 0; i < f->st->n_sweeps; i++)
        for (int k = 0; k < f->st->sweep[i].n_items; k++) {
            int v = scalar_set(f->st->sweep[i].item[k]);
            for (int j = 0; j < f->st->n_sweeps && v >= 0 && !f->st->sweep[i].everywhere; j++)
                if (j != i && reads_first(&f->st->sweep[j], v))
                    return refuse(f, RG_REFUSE_DEPENDENCE, f->st->sweep[j].item[0]->line,
                                  "%s:%d: scalar %s is read in another loop than the one that sets it", file_of(f),
                                  f->st->sweep[j].item[0]->line, s->tree->vars[v].name);
        }
    return true;
}

static bool box_stands(struct finding *f, const struct poly_sweep *w)
{
    for (int d = 0; d < f->st->n_dims; d++) {
        const struct poly_loop *l = w->loop[d] >= 0 ? &f->s->loops[w->loop[d]] : NULL;
        if (!l || (steady(f, &l->lower) && steady(f, &l->upper))) continue;
        return refuse(f, RG_REFUSE_BOUNDS, l->node->line,
                      "the bounds of loop %s (%s:%d) are not linear in the parameters alone", l->name, file_of(f),
                      l->node->line);
    }
    /* a loop that no subscript moves with repeats what it does */
    const struct poly_stmt *st = &f->s->stmts[stmt_of(f, w->item[w->n_items - 1])];
    for (int i = 0; i < st->depth; i++) {
        bool used = st->loops[i] == f->st->loop || !rg__poly_loop_inside(f->s, st->loops[i], f->st->loop);
        for (int d = 0; d < f->st->n_dims; d++) used = used || w->loop[d] == st->loops[i];
        if (!used)
            return refuse(f, RG_REFUSE_BOUNDS, st->line, "no subscript of what line %d writes moves with loop %s",
                          st->line, f->s->loops[st->loops[i]].name);
    }
    return true;
}

static bool same_box(const struct poly_stencil *st, const struct poly_sweep *a, const struct poly_sweep *b)
{
    for (int d = 0; d < st->n_dims; d++) {
        if ((a->loop[d] < 0) != (b->loop[d] < 0)) return false;
        if (a->loop[d] < 0) {
            if (!rg__poly_linear_equal(&a->at[d], &b->at[d])) return false;
            continue;
        }
        const struct poly_loop *x = &st->s->loops[a->loop[d]], *y = &st->s->loops[b->loop[d]];
        if (x->step != y->step || !rg__poly_linear_same_terms(&x->lower, &y->lower) ||
            !rg__poly_linear_same_terms(&x->upper, &y->upper) || x->lower.k + a->shift[d] != y->lower.k + b->shift[d] ||
            x->upper.k + a->shift[d] != y->upper.k + b->shift[d])
            return false;
    }
    return true;
}

/* Is the access what a statement of the sweep sets, whatever it was before? */
static bool only_set(const struct poly_sweep *w, const struct poly_stencil_access *a)
{
    for (int i = 0; i < w->n_items && a->write; i++) {
        const struct rg_cnode *e = w->item[i]->kind == RG_C_STMT ? w->item[i]->kid[0] : NULL;
        if (e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && e->kid[0] == a->node) return true;
    }
    return false;
}

static bool reads(const struct poly_stencil *st, const struct poly_sweep *w, int array)
{
    for (int x = 0; x < w->n_accesses; x++) {
        const struct poly_stencil_access *a = &st->access[w->first_access + x];
        if (a->array == array && !only_set(w, a)) return true;
    }
    return false;
}

static bool unread(const struct poly_stencil *st, int array)
{
    for (int i = 0; i < st->n_sweeps; i++)
        if (reads(st, &st->sweep[i], array)) return false;
    return true;
}

/* The first sweep that touches the array only writes it, and no other one writes elsewhere. */
static int fresh(const struct poly_stencil *st, int array)
{
    int first = -1;
    for (int i = 0; i < st->n_sweeps; i++) {
        const struct poly_sweep *w = &st->sweep[i];
        bool writes = rg__poly_stencil_writes(st, i, array), also_reads = reads(st, w, array);
        if (first < 0 && (writes || also_reads)) {
            if (!writes || also_reads) return -1;
            first = i;
        } else if (writes && !same_box(st, &st->sweep[first], w)) {
            return -1;
        }
    }
    return first;
}

/* Can the expression be evaluated whatever its operands are, from what a tile holds? */
static bool harmless(const struct poly_stencil *st, const struct rg_cnode *n)
{
    if (!n) return true;
    bool divides = n->op == RG_COP_DIV || n->op == RG_COP_REM || n->op == RG_COP_DIV_SET || n->op == RG_COP_REM_SET;
    if ((divides && !rg_scalar_is_real(n->type)) || (n->kind == RG_C_CALL && n->callee >= 0)) return false;
    if (n->array >= 0) return n->kind == RG_C_INDEX && rg__poly_stencil_access(st, n) != NULL;
    for (int i = 0; i < n->n; i++)
        if (!harmless(st, n->kid[i])) return false;
    return true;
}

bool rg__poly_stencil_writes(const struct poly_stencil *st, int sweep, int array)
{
    const struct poly_sweep *w = &st->sweep[sweep];
    for (int x = 0; x < w->n_accesses; x++)
        if (st->access[w->first_access + x].array == array && st->access[w->first_access + x].write) return true;
    return false;
}

bool rg__poly_stencil_line(const struct poly_stencil *st, const struct poly_sweep *w)
{
    for (int d = 0; d < st->n_dims && !w->everywhere; d++)
        if (w->loop[d] < 0) return true;
    return false;
}

bool rg__poly_stencil_anew(const struct poly_stencil_array *x)
{
    return x->fresh >= 0 && x->restored;
}

bool rg__poly_stencil_moves(const struct poly_stencil_array *x)
{
    return x->written && x->fresh < 0 && !x->unread;
}

/* A sweep is free where all who write what it writes are, over one box; those of a fixed place are few points. */
static void find_free(struct poly_stencil *st)
{
    for (int i = 0; i < st->n_sweeps; i++) {
        struct poly_sweep *w = &st->sweep[i];
        w->free = !w->everywhere && !rg__poly_stencil_line(st, w);
        for (int k = 0; k < w->n_items && w->free; k++)
            w->free = harmless(st, w->item[k]->n ? w->item[k]->kid[0] : NULL);
    }
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < st->n_sweeps; i++)
            for (int j = 0; j < st->n_sweeps; j++)
                for (int a = 0; a < st->n_arrays; a++)
                    if (st->sweep[i].free && rg__poly_stencil_writes(st, i, a) && rg__poly_stencil_writes(st, j, a) &&
                        (!st->sweep[j].free || !same_box(st, &st->sweep[i], &st->sweep[j])))
                        again = !(st->sweep[i].free = false);
    }
    for (int a = 0; a < st->n_arrays; a++)
        for (int i = 0; i < st->n_sweeps; i++)
            if (rg__poly_stencil_writes(st, i, a)) st->array[a].restored = st->sweep[i].free;
}

bool rg__poly_stencil_of(struct poly_scop *s, int loop, struct poly_stencil *out, struct rg_reason *why)
{
    struct finding f = {.st = out, .s = s, .why = why};
    const struct poly_loop *l = &s->loops[loop];
    bool joined = false;
    memset(out, 0, sizeof *out);
    out->s = s;
    out->loop = loop;
    if (s->problem->may_alias)
        return refuse(&f, RG_REFUSE_DEPENDENCE, 0,
                      "parameters may overlap: a tile could not hold what another one stands for");
    if (l->node->n > 3)
        return refuse(&f, RG_REFUSE_SHAPE, l->node->line, "loop %s (%s:%d) ends when its data says so", l->name,
                      file_of(&f), l->node->line);
    if (!gather(&f, l->node->kid[2], &joined)) return false;
    for (int i = 0; i < out->n_sweeps; i++) out->sweep[i].everywhere = true;
    if (!each_access(&f, take_write)) return false;
    if (!out->n_arrays)
        return refuse(&f, RG_REFUSE_SHAPE, l->node->line, "loop %s (%s:%d) writes no array", l->name, file_of(&f),
                      l->node->line);
    bool moves = false;
    for (int i = 0; i < out->n_sweeps; i++)
        for (int d = 0; d < out->n_dims; d++)
            moves = moves || (!out->sweep[i].everywhere && out->sweep[i].loop[d] >= 0);
    if (!moves)
        return refuse(&f, RG_REFUSE_SHAPE, l->node->line, "nothing inside loop %s (%s:%d) is parallel", l->name,
                      file_of(&f), l->node->line);
    for (int i = 0; i < out->n_sweeps; i++)
        if (!out->sweep[i].everywhere && !box_stands(&f, &out->sweep[i])) return false;
    if (!each_access(&f, take_read)) return false;
    for (int n = -1; n != out->n_arrays;) {
        n = out->n_arrays;
        if (!each_access(&f, drop_far)) return false;
    }
    if (!each_access(&f, list_access) || !scalars_stay(&f)) return false;
    for (int a = 0; a < out->n_arrays; a++) {
        struct poly_stencil_array *x = &out->array[a];
        x->fresh = x->written ? fresh(out, a) : -1;
        x->unread = x->written && x->fresh < 0 && unread(out, a);
    }
    find_free(out);
    return true;
}

int rg__poly_stencil_array(const struct poly_stencil *st, int array)
{
    for (int a = 0; a < st->n_arrays; a++)
        if (st->array[a].array == array) return a;
    return -1;
}

const struct poly_stencil_access *rg__poly_stencil_access(const struct poly_stencil *st, const struct rg_cnode *node)
{
    for (int i = 0; i < st->n_accesses; i++)
        if (st->access[i].node == node) return &st->access[i];
    return NULL;
}

void rg__poly_stencil_halo(const struct poly_stencil *st, int64_t iterations, int64_t below[STENCIL_DIMS],
                           int64_t above[STENCIL_DIMS])
{
    int64_t lo[STENCIL_ARRAYS][STENCIL_DIMS] = {{0}}, hi[STENCIL_ARRAYS][STENCIL_DIMS] = {{0}};
    for (int64_t k = 0; k < iterations; k++)
        for (int i = 0; i < st->n_sweeps; i++) {
            const struct poly_sweep *w = &st->sweep[i];
            int64_t l[STENCIL_DIMS] = {0}, h[STENCIL_DIMS] = {0};
            for (int x = 0; x < w->n_accesses; x++) {
                const struct poly_stencil_access *a = &st->access[w->first_access + x];
                for (int d = 0; d < st->n_dims; d++) {
                    int64_t down = lo[a->array][d] - a->by[d], up = hi[a->array][d] + a->by[d];
                    l[d] = down > l[d] ? down : l[d];
                    h[d] = up > h[d] ? up : h[d];
                }
            }
            for (int x = 0; x < w->n_accesses; x++)
                for (int d = 0; st->access[w->first_access + x].write && d < st->n_dims; d++) {
                    int at = st->access[w->first_access + x].array;
                    lo[at][d] = l[d] > lo[at][d] ? l[d] : lo[at][d];
                    hi[at][d] = h[d] > hi[at][d] ? h[d] : hi[at][d];
                }
        }
    for (int d = 0; d < STENCIL_DIMS; d++) {
        below[d] = above[d] = 0;
        for (int a = 0; a < st->n_arrays; a++) {
            below[d] = lo[a][d] > below[d] ? lo[a][d] : below[d];
            above[d] = hi[a][d] > above[d] ? hi[a][d] : above[d];
        }
    }
}
