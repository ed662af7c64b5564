/* qsort as a loop over the elements that it exchanges (ir/ctree_sort.h), and the functions that sorts compare by. */
#include "frontend/read/build.h"
#include "frontend/read/device_c.h"
#include "ir/ctree_sort.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_WITH = 8 };

struct outside { /* file-scope variables that a function names: it is given them behind its own parameters */
    struct rg__build *b;
    uint32_t at, end;
    const char *why;
    int n;
    CXCursor use[MOST_WITH];
    uint32_t key[MOST_WITH];
};

static void look(void *arg, CXCursor c)
{
    struct outside *o = arg;
    struct rg__build *b = o->b;
    if (o->why || b->c->getCursorKind(c) != CXCursor_DeclRefExpr) return;
    CXCursor d = b->c->getCursorReferenced(c);
    int f = b->c->getCursorKind(d) == CXCursor_FunctionDecl ? rg__unit_function(b->u, d) : -1;
    if (f >= 0 && !rg__source_place(&b->u->src, b->u->functions[f].at).system) rg__build_c_function(b, f, &o->why);
    uint32_t key = rg__decl_key(b->u, d);
    if (b->c->getCursorKind(d) != CXCursor_VarDecl || (key >= o->at && key < o->end)) return;
    for (int i = 0; i < o->n; i++)
        if (o->key[i] == key) return;
    if (o->n == MOST_WITH) {
        o->why = "it uses many file-scope variables";
        return;
    }
    o->use[o->n] = c;
    o->key[o->n++] = key;
}

/* As a parameter: scalars by value, arrays and pointers as pointers to elements that are only read. NULL: it is
 * neither. */
static const char *parameter_of(struct rg__build *b, CXCursor use)
{
    CXType t = b->c->getCursorType(use);
    const char *name = rg__cursor_name(b->u, use, &b->p->arena);
    enum rg_scalar s;
    if (rg__type_scalar(b->u, t, &s)) return rg_arena_printf(&b->p->arena, "%s %s", rg_scalar_cuda(s), name);
    bool array = rg__type_is_array(b->u, t);
    if (!array && !rg__type_is_pointer(b->u, t)) return NULL;
    CXType canonical = b->c->getCanonicalType(t),
           to = array ? b->c->getArrayElementType(canonical) : b->c->getPointeeType(canonical);
    if (rg__type_is_array(b->u, to) || rg__type_is_pointer(b->u, to)) return NULL;
    const char *inner = rg__device_type(b, to);
    return inner ? rg_arena_printf(&b->p->arena, "const %s *%s", inner, name) : NULL;
}

/* The function with what it names of the file as parameters of its own. */
static void define(struct rg__build *b, const struct rg__function *f, const struct outside *o)
{
    const struct rg__source *s = &b->u->src;
    uint32_t body = rg__cursor_at(b->u, f->body);
    int close = rg__tok_from(s, body) - 1;
    while (close > 0 && !rg__tok_is(s, close, ")")) close--;
    struct rg_buf text = RG_BUF_INIT;
    rg__source_slice(s, f->at, s->toks[close].at, &text);
    for (int i = 0; i < o->n; i++) rg_buf_printf(&text, ", %s", parameter_of(b, o->use[i]));
    rg_buf_str(&text, ")\n");
    rg__source_slice(s, body, f->end, &text);
    rg_buf_str(b->root->helper_decls, "__device__ ");
    rg__build_c_text(b, text.data, b->root->helper_decls);
    rg_buf_char(b->root->helper_decls, '\n');
    rg_buf_release(&text);
}

/* Of the function that the cursor names, what a sort compares by; the values of the file-scope variables that it uses
 * go to `with`. NULL with *why. */
static const char *order_of(struct rg__build *b, CXCursor c, struct rg__kids *with, const char **why)
{
    CXCursor f = rg__strip_parens(b, c);
    while (b->c->getCursorKind(f) == CXCursor_UnaryOperator ||
           b->c->getCursorKind(f) == CXCursor_CStyleCastExpr) { /* &compare, (cmp_t)compare */
        struct rg__children kids = rg__cursor_children(b->u, f, &b->p->arena);
        if (!kids.n) break;
        f = rg__strip_parens(b, kids.items[kids.n - 1]);
    }
    *why = "it is no function of the file";
    int function =
        b->c->getCursorKind(f) == CXCursor_DeclRefExpr ? rg__unit_function(b->u, b->c->getCursorReferenced(f)) : -1;
    if (function < 0) return NULL;
    const struct rg__function *own = &b->u->functions[function];
    struct outside o = {.b = b, .at = own->at, .end = own->end};
    if (!b->root->verbatim && !b->c->Cursor_isNull(own->body)) rg__cursor_walk(b->u, own->body, look, &o);
    if (!o.n || o.why) return rg__build_c_function(b, function, why) ? own->name : NULL;
    for (int i = 0; i < o.n; i++) {
        struct rg_cnode *value = parameter_of(b, o.use[i])
                                     ? (struct rg_cnode *)rg__c_uncast(rg__build_expr(b, o.use[i]), RG__C_CASTS)
                                     : NULL;
        struct rg_cnode *rows[8], *off;
        int array, n_rows;
        bool plain = value && (value->pointer ? rg__split_pointer(b, value, &array, rows, &n_rows, &off) && !n_rows
                                              : rg__c_pure(b->t, value));
        if (!plain) {
            *why = "it uses a file-scope variable";
            return NULL;
        }
        rg__kids_add(with, value);
    }
    if (b->root->c_written[function] != RG__C_DONE) define(b, own, &o);
    b->root->c_written[function] = RG__C_DONE;
    b->root->c_text = true;
    return own->name;
}

static struct rg_cnode *named(struct rg__build *b, const char *name)
{
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_STRING, 0);
    n->text = rg_arena_strdup(&b->t->arena, name);
    return n;
}

struct rg_cnode *rg__build_order(struct rg__build *b, CXCursor c)
{
    struct rg__kids with = {0};
    const char *why, *name = order_of(b, c, &with, &why);
    bool alone = name && !with.n;
    if (name && !alone) why = "it uses a file-scope variable";
    free(with.items);
    return alone ? named(b, name) : rg__verbatim(b, c, "what a sort compares by cannot run on a device: %s", why);
}

/* What the order looks into. Integers that are sorted by what an array has at their places: it is taken to be as long
 * as they are many, unless its size is known. NULL: a place in the middle of an array, which nothing says the length
 * of. */
static struct rg_cnode *beside(struct rg__build *b, const struct rg_cnode *base, struct rg_cnode *with, int k,
                               CXCursor c)
{
    struct rg_cnode *rows[8], *off;
    int array, n_rows;
    if (!with->pointer || !rg__split_pointer(b, with, &array, rows, &n_rows, &off)) return with;
    bool index = base->type != RG_STRUCT && rg__scalar_is_int(base->type) && rg_scalar_bytes(base->type) >= 4,
         whole = with->kind == RG_C_VAR;
    const struct rg_carray *a = &b->t->arrays[array];
    if (!index || a->n_dims != 1 || (whole && a->dims && a->dims[0])) return whole ? with : NULL;
    struct rg_cnode *at = rg__c_unary(b->t, RG_COP_ADDRESS, rg__build_subscript(b, with, rg__c_var(b->t, k), c));
    at->pointer = true;
    return at;
}

bool rg__sort_statement(struct rg__build *b, CXCursor c, struct rg__kids *out)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (kids.n != 5 || b->root->verbatim) return false;
    struct rg_cnode *base = (struct rg_cnode *)rg__c_uncast(rg__build_expr(b, kids.items[1]), RG__C_CASTS), *rows[8],
                    *off;
    int array, n_rows, k;
    if (!base->pointer || !rg__split_pointer(b, base, &array, rows, &n_rows, &off)) return false;
    int64_t bytes =
        base->type == RG_STRUCT ? b->p->structs[base->struct_index].bytes : (int64_t)rg_scalar_bytes(base->type);
    const struct rg_cnode *size = rg__c_uncast(rg__expand_known(b, rg__build_expr(b, kids.items[3])), RG__C_INT_CASTS);
    if (size->kind != RG_C_INT || size->ivalue != bytes) return false;
    struct rg__kids args = {0}, with = {0};
    const char *why, *name = order_of(b, kids.items[4], &with, &why);
    if (!name) {
        free(with.items);
        return false;
    }
    struct rg_cnode *count = rg__c_strip_int_casts(rg__expand_known(b, rg__build_expr(b, kids.items[2])));
    struct rg_cnode *body = rg_cnode_new(b->t, RG_C_BLOCK, 1), *loop = rg__counted_loop(b, count, &k, body);
    rg__kids_add(&args, rg__c_unary(b->t, RG_COP_ADDRESS,
                                    rg__build_subscript(b, rg__c_copy(b->t, base), rg__c_var(b->t, k), c)));
    rg__kids_add(&args, named(b, name));
    bool known = true;
    for (int i = 0; i < with.n; i++) {
        rg__kids_add(&args, beside(b, base, with.items[i], k, c));
        known = known && args.items[args.n - 1];
    }
    free(with.items);
    if (!known) {
        free(args.items);
        return false;
    }
    struct rg_cnode *call = rg__kids_node(b->t, RG_C_CALL, &args);
    call->text = RG_C_PLACE;
    call->kid[0]->pointer = true;
    body->kid[0] = rg__c_stmt(b->t, call);
    rg__place_node(b, loop, c);
    rg__kids_add(out, loop);
    return true;
}
