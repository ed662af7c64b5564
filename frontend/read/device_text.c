/* Functions of the file that run on the device as they are written. */
#include "frontend/read/build.h"
#include "frontend/read/device_c.h"
#include <string.h>

static bool own_function(void *arg, const char *name)
{
    struct rg__build *b = arg;
    int f = rg__unit_function_named(b->u, name);
    return f >= 0 && !rg__source_place(&b->u->src, b->u->functions[f].at).system;
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
    if (k == CXCursor_VarDecl && (key < u->at || key >= u->end) && !b->root->verbatim) u->why = "it uses a file-scope variable";
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
    struct rg_buf text = RG_BUF_INIT;
    rg__source_slice(&b->u->src, f->at, f->end, &text);
    rg_buf_str(root->helper_decls, "__device__ ");
    rg__build_c_text(b, text.data, root->helper_decls);
    rg_buf_char(root->helper_decls, '\n');
    root->c_written[function] = RG__C_DONE;
    rg_buf_release(&text);
    root->c_text = true;
    return true;
}
