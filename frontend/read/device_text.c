/* Functions of the file that run on the device as they are written. */
#include "frontend/read/build.h"
#include "frontend/read/device_c.h"
#include "frontend/read/helper_text.h"
#include <string.h>

static bool own_function(void *arg, const char *name)
{
    struct rg__build *b = arg;
    int f = rg__unit_function_named(b->u, name);
    return f >= 0 && !rg__source_place(&b->u->src, b->u->functions[f].at).system;
}

struct lengths {
    struct rg__build *b;
    uint32_t at, done; /* text up to here is out */
    uint32_t end;
    struct rg_buf *out;
};

/* From the name on: `name[..]`, and more of them behind commas, up to the declaration's end. */
static bool arrays_alone(const struct rg__source *s, int k)
{
    for (;; k++) {
        if (!rg__tok_is(s, k + 1, "[")) return false;
        int depth = 0;
        for (k++; k < s->n_toks; k++) {
            if (rg__tok_is(s, k, "[")) depth++;
            if (rg__tok_is(s, k, "]") && --depth == 0) break;
        }
        if (++k >= s->n_toks || rg__tok_is(s, k, ";")) return k < s->n_toks;
        if (!rg__tok_is(s, k, ",")) return false;
    }
}

/* `T name[n];` of a length that the run decides becomes memory of the heap that its block gives back; so does each name
 * of `T a[n], b[m];`. */
static void variable_length(void *arg, CXCursor c)
{
    struct lengths *v = arg;
    struct rg__build *b = v->b;
    const struct rg__source *s = &b->u->src;
    if (b->c->getCursorKind(c) != CXCursor_VarDecl ||
        b->c->getCanonicalType(b->c->getCursorType(c)).kind != CXType_VariableArray)
        return;
    const char *elem = rg__device_type(b, b->c->getArrayElementType(b->c->getCanonicalType(b->c->getCursorType(c))));
    uint32_t at = rg__cursor_at(b->u, c), end = rg__cursor_end(b->u, c);
    int name = rg__tok_from(s, rg__decl_key(b->u, c)), last = rg__tok_from(s, end);
    bool next = rg__tok_is(s, name - 1, ",") && s->toks[name - 1].at == v->done; /* right behind one that was put so */
    bool alone = last < s->n_toks && arrays_alone(s, name) && (at >= v->done || next) && end <= v->end;
    for (int k = rg__tok_from(s, at); k < name && !next; k++) alone &= !rg__tok_is(s, k, ",");
    if (!elem || !alone) return;
    if (next)
        rg_buf_str(v->out, "; ");
    else
        rg__source_slice(s, v->done, at, v->out);
    rg_buf_printf(v->out, "rg_vla<%s> %s(", elem, rg__cursor_name(b->u, c, &b->p->arena));
    rg__source_slice(s, s->toks[name + 1].at + 1, s->toks[last - 1].at, v->out);
    rg_buf_str(v->out, ")");
    v->done = end;
}

/* sizeof of an expression is the number that it is in C: to C++ a letter is a char, and what a comparison gives a bool.
 */
static void put_right(void *arg, CXCursor c)
{
    struct lengths *v = arg;
    struct rg__build *b = v->b;
    const struct rg__source *s = &b->u->src;
    int64_t bytes;
    if (b->c->getCursorKind(c) == CXCursor_UnaryExpr) {
        const uint32_t at = rg__cursor_at(b->u, c), end = rg__cursor_end(b->u, c);
        const int k = rg__tok_from(s, at);
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        const enum CXCursorKind of = kids.n == 1 ? b->c->getCursorKind(kids.items[0]) : CXCursor_TypeRef;
        const bool of_expr = of >= CXCursor_FirstExpr && of <= CXCursor_LastExpr;
        if (of_expr && k < s->n_toks && rg__tok_is(s, k, "sizeof") && at >= v->done && end <= v->end &&
            rg__eval_int(b->u, c, &bytes)) {
            rg__source_slice(s, v->done, at, v->out);
            rg_buf_printf(v->out, " %lldul ", (long long)bytes);
            v->done = end;
        }
    }
    if (b->root->verbatim) variable_length(arg, c); /* the heap is one thread's */
}

void rg__build_c_slice(struct rg__build *b, CXCursor scope, uint32_t at, uint32_t end, struct rg_buf *out)
{
    struct rg_buf text = RG_BUF_INIT;
    struct lengths v = {b, at, at, end, &text};
    rg__cursor_walk(b->u, scope, put_right, &v);
    rg__source_slice(&b->u->src, v.done, end, &text);
    rg__build_c_text(b, text.data, out);
    rg_buf_release(&text);
}

void rg__build_c_text(struct rg__build *b, const char *text, struct rg_buf *out)
{
    rg__device_c(text, own_function, b, out);
}

struct used {
    struct rg__build *b;
    uint32_t at, end;
    const char *why;
};

/* Callees first; a file-scope variable ends it. */
static void look(void *arg, CXCursor c)
{
    struct used *u = arg;
    struct rg__build *b = u->b;
    if ((u->why && !b->root->verbatim) || b->c->getCursorKind(c) != CXCursor_DeclRefExpr) return;
    CXCursor d = b->c->getCursorReferenced(c);
    enum CXCursorKind k = b->c->getCursorKind(d);
    if (k == CXCursor_FunctionDecl) {
        int f = rg__unit_function(b->u, d);
        if (f >= 0 && !rg__source_place(&b->u->src, b->u->functions[f].at).system) rg__build_c_function(b, f, &u->why);
    }
    uint32_t key = rg__decl_key(b->u, d);
    if (k == CXCursor_VarDecl && (key < u->at || key >= u->end) && !b->root->verbatim &&
        !rg__device_state_table(b->root, d))
        u->why = "it uses a file-scope variable";
}

void rg__build_c_callees(struct rg__build *b, int function)
{
    const struct rg__function *f = &b->u->functions[function];
    struct used u = {b, f->at, f->end, NULL};
    rg__cursor_walk(b->u, f->body, look, &u); /* itself too, where it calls itself: the kernel is its body */
}

bool rg__build_c_function(struct rg__build *b, int function, const char **why)
{
    struct rg__build *root = b->root;
    const struct rg__function *f = &b->u->functions[function];
    if (b->c->Cursor_isNull(f->body) || rg__source_place(&b->u->src, f->at).system) {
        *why = "it is not in the file";
        return false;
    }
    if (root->c_written[function] == RG__C_DONE) return true;
    if (!root->verbatim && root->helper_of[function] >= 0 && root->as_call != function + 1) return true;
    if (root->c_written[function] == RG__C_UNDER_WAY) { /* recursive: what calls it may stand in front of it */
        struct rg_buf head = RG_BUF_INIT;
        rg__source_slice(&b->u->src, f->at, rg__cursor_at(b->u, f->body), &head);
        rg_buf_str(root->helper_decls, "__device__ ");
        rg__build_c_text(b, head.data, root->helper_decls);
        rg_buf_str(root->helper_decls, ";\n");
        rg_buf_release(&head);
        return true;
    }
    root->c_written[function] = RG__C_UNDER_WAY;
    struct used u = {b, f->at, f->end, NULL};
    rg__cursor_walk(b->u, f->body, look, &u);
    if (u.why) {
        *why = u.why;
        root->c_written[function] = 0;
        return false;
    }
    rg_buf_str(root->helper_decls, "__device__ ");
    rg__build_c_slice(b, f->body, f->at, f->end, root->helper_decls);
    rg_buf_char(root->helper_decls, '\n');
    root->c_written[function] = RG__C_DONE;
    root->c_text = true;
    return true;
}
