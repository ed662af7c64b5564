/* The function that is meant, from libclang's tree to the raw one. */
#include "frontend/read/build_columns.h"
#include "frontend/read/build_returned.h"
#include "frontend/read/build_end.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_shape.h"
#include "frontend/read/read.h"
#include <stdlib.h>

void rg__build_release(struct rg__build *b)
{
    if (b->helper_decls) rg_buf_release(b->helper_decls);
    free(b->helper_decls);
    rg__helper_trees_free(b);
    free(b->helper_of);
    free(b->helper_why);
    free(b->c_written);
    free(b->syms);
    free(b->written);
    free(b->known);
    free(b->own);
    free(b->once);
    free(b->in_run);
    free(b->elements);
    free(b->state);
    free(b->device_tables);
    free(b->origins);
    free(b->carriers);
    free(b->targets);
    free(b->args);
    free(b->tables);
    free(b->asserted);
    free(b->powers);
    free(b->spent);
}

/* Pointers and structures among them are cells. */
static void own_numbers_only(struct rg__build *b)
{
    int n = 0;
    for (int i = 0; i < b->n_own; i++) {
        CXType t = b->c->getCursorType(b->own[i].decl);
        if (!rg__type_is_pointer(b->u, t) && !rg__type_is_record(b->u, t)) b->own[n++] = b->own[i];
    }
    b->n_own = n;
}

/* Loops that did nothing but allocate or free, and memory that nothing uses. */
static void prune(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        prune(t, k);
        if (n->kind != RG_C_BLOCK || !k) continue;
        bool idle = k->kind == RG_C_FOR && !k->kid[3]->n && k->kid[0] && k->kid[0]->kind == RG_C_DECL && k->kid[1] &&
                    rg__c_pure(t, k->kid[1]) && k->kid[2] && rg__c_writes_var(k->kid[2], k->kid[0]->var);
        bool unused = k->kind == RG_C_DECL && k->array >= 0 && !k->n;
        if (unused) {
            int array = k->array;
            k->array = -1; /* itself does not count */
            unused = !rg__c_mentions_array(t->root, array);
            k->array = array;
        }
        struct rg__kids none = {0};
        if (idle || unused) rg__block_splice(t, n, i--, 1, &none);
    }
}

/* Does something stand in the tree that is nothing outside of the reader: a cell, an object, memory without a type? */
static bool stray(struct rg__build *b, const struct rg_cnode *n)
{
    if (!n) return false;
    const struct rg__cell *c = rg__cell_named(b, n);
    if ((c && c->pointer) || rg__is_memory(b, n)) return true;
    if (n->kind == RG_C_VAR && n->array < 0 && rg__bundle_any(b, n)) return true;
    for (int i = 0; i < n->n; i++)
        if (stray(b, n->kid[i])) return true;
    return false;
}

static bool is_matrix(const struct rg_ctree *t, const struct rg_cnode *n)
{
    return n && n->kind == RG_C_VAR && n->array >= 0 && t->arrays[n->array].n_dims > 1;
}

/* Is a pointer to rows that is exchanged with another moved by rows as well? It has no offset, and a kernel's pointer
 * is one to elements. */
static const struct rg_cnode *step_by_rows(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return NULL;
    const bool sets = n->kind == RG_C_ASSIGN && is_matrix(t, n->kid[0]);
    if ((n->kind == RG_C_INCDEC && is_matrix(t, n->kid[0])) || (sets && n->op != RG_COP_SET)) return n;
    if (sets && n->kid[1]->op == RG_COP_ADD && is_matrix(t, n->kid[1]->kid[0])) return n;
    const struct rg_cnode *step = NULL;
    for (int i = 0; i < n->n && !step; i++) step = step_by_rows(t, n->kid[i]);
    return step;
}

static enum rg_status read_once(struct rg__load *l)
{
    struct rg__build *b = &l->b;
    const struct rg__function *f = &l->unit.functions[l->function];
    l->t = rg_xcalloc(1, sizeof *l->t);
    l->t->result_array = -1;
    l->t->without = l->o->without;
    l->t->root = rg_cnode_new(l->t, RG_C_BLOCK, 0);
    b->u = &l->unit;
    b->c = l->unit.c;
    b->p = l->p;
    b->t = l->t;
    b->err = l->err;
    b->root = b;
    b->shape = l->shape;
    b->dirs = &l->dirs;
    b->return_var = -2;
    b->scope = f->body;
    b->helper_decls = rg_xcalloc(1, sizeof *b->helper_decls);
    rg_buf_init(b->helper_decls);
    b->helper_of = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *b->helper_of);
    b->helper_why = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *b->helper_why);
    b->helper_trees = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *b->helper_trees);
    b->c_written = rg_xcalloc((size_t)l->unit.n_functions + 1, sizeof *b->c_written);
    for (int i = 0; i < l->unit.n_functions; i++) b->helper_of[i] = -1;
    rg__scan_written(b, l->function);
    if (b->follow) own_numbers_only(b);
    b->inlining[b->n_inlining++] = l->function; /* a call of the function itself is no helper call */
    b->as_call = l->as_call ? l->function + 1 : 0;
    if (!l->as_call) {
        b->helper_of[l->function] = -3;
        b->helper_why[l->function] = "it calls itself";
    }
    struct rg__kids prologue = {0};
    b->prologue = b->front = &prologue;
    enum rg_status st = rg__build_params(b, f);
    if (st != RG_OK) {
        free(prologue.items);
        return st;
    }
    /* pointer parameters that move get an offset of their own */
    int n_params = l->p->n_params;
    struct rg__children kids = rg__cursor_children(&l->unit, f->cursor, &l->p->arena);
    for (int i = 0; i < kids.n && !l->as_call; i++) {
        if (b->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        uint32_t key = rg__decl_key(&l->unit, kids.items[i]);
        struct rg__sym *s = rg__sym_find(b, key);
        if (!s || s->kind != RG__SYM_ARRAY || !rg__is_written(b, key)) continue;
        int array = s->array;
        const int param = l->t->arrays[array].param;
        CXCursor root = rg__pointer_root(b, f->body, kids.items[i]);
        if (b->c->Cursor_isNull(root) || rg__decl_key(&l->unit, root) != key) {
            if (param >= 0 && rg__has_end(b, param))
                rg__verbatim(b, kids.items[i], "a pointer that others are the end of moves on");
            continue;
        }
        int off = rg__c_add_var(l->t, rg_arena_printf(&l->t->arena, "%s_at", l->t->arrays[array].name), RG_CVAR_LOCAL,
                                RG_LONG);
        struct rg_cnode *d = rg_cnode_new(l->t, RG_C_DECL, 1);
        d->var = off;
        d->type = RG_LONG;
        d->kid[0] = rg__c_int(l->t, 0);
        rg__kids_add(&prologue, d);
        s = rg__sym_find(b, key);
        s->kind = RG__SYM_ALIAS;
        s->off_var = off;
        s->n_rows = 0;
    }
    (void)n_params;
    struct rg_cnode *body = l->as_call ? rg__build_own_call(b, l->function) : rg__build_block(b, f->body);
    struct rg__kids all = {0};
    for (int i = 0; i < prologue.n; i++) rg__kids_add(&all, prologue.items[i]);
    for (int i = 0; i < body->n; i++) rg__kids_add(&all, body->kid[i]);
    free(prologue.items);
    b->prologue = b->front = NULL;
    l->t->root = rg__kids_node(l->t, RG_C_BLOCK, &all);
    rg__returned_end(b, l->t->root);
    if (b->follow) prune(l->t, l->t->root);
    if (!b->verbatim && rg__rows_left(l->t->root)) b->verbatim = "a pointer to rows goes where it is not followed";
    const struct rg_cnode *step = b->verbatim ? NULL : step_by_rows(l->t, l->t->root);
    if (step) {
        b->verbatim = "a pointer to rows is moved by rows and exchanged with another";
        b->verbatim_line = step->line;
    }
    if (b->follow && !b->verbatim && stray(b, l->t->root))
        b->verbatim = "a pointer or structure goes where it is not followed";
    if (!b->verbatim && rg__columns_left(b, l->t->root))
        b->verbatim = "a structure with pointers goes where it is not followed";
    rg__own_leave(b, l->t->root);
    int line = 0;
    if (!b->verbatim && rg__halves_read_spent(b, l->t->root))
        b->verbatim = "what is left of an array that a recursive function swaps with another is read behind it";
    const char *jump = b->verbatim ? NULL : rg__structure_jumps(l->t, l->t->root, &line);
    if (jump) b->verbatim = jump, b->verbatim_line = line;
    return b->refused ? RG_INPUT : RG_OK;
}

static struct rg_problem *like(const struct rg_problem *p)
{
    struct rg_problem *q = rg_problem_new();
    q->function = p->function ? rg_arena_strdup(&q->arena, p->function) : NULL;
    q->file = p->file ? rg_arena_strdup(&q->arena, p->file) : NULL;
    q->cflags = p->cflags ? rg_arena_strdup(&q->arena, p->cflags) : NULL;
    q->line = p->line;
    q->may_alias = p->may_alias;
    q->allow_trivial = p->allow_trivial;
    q->allow = p->allow;
    return q;
}

static void drop(struct rg__load *l)
{
    rg__build_release(&l->b);
    rg_problem_free(l->p);
    rg_ctree_free(l->t);
}

enum rg_status rg__read_body(struct rg__load *l)
{
    struct rg_error mine = RG_ERROR_INIT, ignored = RG_ERROR_INIT, *err = l->err;
    l->err = &mine;
    enum rg_status st = read_once(l);
    struct rg__load first = *l;
    struct rg__follow follow = {.dirs = &l->dirs, .sizes_stay = l->sizes_stay, .sequence = &l->sequence};
    bool setup = l->b.setup,
         again = (st != RG_OK || l->b.verbatim || l->b.guarded || l->follow) && (!setup || l->objects);
    while (again) {
        l->b = (struct rg__build){.follow = &follow, .setup = setup};
        l->p = like(first.p);
        l->err = &ignored;
        bool read = read_once(l) == RG_OK && !l->b.verbatim && !follow.again;
        if (read) rg__blocks_end(&l->b);
        read = read && !l->b.verbatim;
        if (read && setup) l->objects(l->objects_arg, l);
        again = rg__follow_again(&follow);
        if (!again && read) {
            free(follow.forms);
            l->b.follow = NULL;
            l->err = l->b.err = err;
            drop(&first);
            return RG_OK;
        }
        drop(l);
    }
    free(follow.forms);
    first.dirs = l->dirs; /* its arena went on */
    *l = first;
    l->err = l->b.err = err;
    if (l->b.verbatim && *follow.asks) l->b.asks = l->b.verbatim = rg_arena_strdup(&l->t->arena, follow.asks);
    if (err && mine.status != RG_OK) *err = mine;
    return st;
}

struct self {
    struct rg__load *l;
    bool found;
};

static void look_for_self(void *arg, CXCursor c)
{
    struct self *s = arg;
    const struct rg__build *b = &s->l->b;
    if (b->c->getCursorKind(c) != CXCursor_DeclRefExpr) return;
    CXCursor d = b->c->getCursorReferenced(c);
    s->found = s->found ||
               (b->c->getCursorKind(d) == CXCursor_FunctionDecl && rg__unit_function(&s->l->unit, d) == s->l->function);
}

bool rg__calls_itself(struct rg__load *l)
{
    struct rg__build *b = &l->b;
    const struct rg__function *f = &l->unit.functions[l->function];
    CXType result = b->c->getResultType(b->c->getCursorType(f->cursor));
    struct self s = {.l = l};
    if (b->c->getCanonicalType(result).kind == CXType_Void) rg__cursor_walk(&l->unit, f->body, look_for_self, &s);
    return s.found;
}

enum rg_status rg__read_again(struct rg__load *l)
{
    struct rg_problem *p = like(l->p);
    drop(l);
    l->p = p;
    l->b = (struct rg__build){0};
    if (l->err) *l->err = (struct rg_error)RG_ERROR_INIT;
    return rg__read_body(l);
}
