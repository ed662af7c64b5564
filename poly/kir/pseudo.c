/* Kernel IR as pseudo-code: for an expert, or a model, who wants to see what a kernel does and which threads do it. */
#include "ir/ctree_util.h"
#include "poly/kir/text.h"
#include <string.h>

static void statement(struct kir_writer *w, const struct kir_node *n);

static void expression(struct kir_writer *w, const struct kir_node *n)
{
    rg__kir_expression(w, n, KIR_PREC_ANY);
}

static void body(struct kir_writer *w, const struct kir_node *n)
{
    w->indent++;
    if (!n || (n->kind == KIR_SEQ && !n->n))
        rg__kir_line(w, "nothing");
    else
        statement(w, n);
    w->indent--;
}

static void loop(struct kir_writer *w, const struct kir_node *n)
{
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    int64_t step;
    rg__kir_start(w);
    rg_buf_printf(w->out, "for %s in ", s->name);
    if (rg__kir_is_thread_loop(n->loop)) {
        rg_buf_printf(w->out, "%s(", rg__kir_loop_word(n->loop));
        expression(w, n->kid[1]);
        rg_buf_char(w->out, ')');
    } else {
        expression(w, n->kid[0]);
        rg_buf_str(w->out, " .. ");
        expression(w, n->kid[1]);
        if (!rg__kir_number(w->k, n->kid[2], &step) || step != 1) {
            rg_buf_str(w->out, " by ");
            expression(w, n->kid[2]);
        }
        if (n->loop == KIR_UNROLLED && n->ivalue)
            rg_buf_printf(w->out, " unrolled by %lld", (long long)n->ivalue);
        else if (n->loop == KIR_UNROLLED)
            rg_buf_str(w->out, " unrolled");
    }
    rg__kir_end(w, ":");
    body(w, n->kid[3]);
}

static void atomic(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const words[] = {"add",      "min",     "max",  "and",   "or",    "xor",
                                        "exchange", "replace", "read", "write", "update"};
    rg__kir_start(w);
    bool update = n->atomic == KIR_ATOMIC_UPDATE;
    if (n->symbol >= 0 && !update) rg_buf_printf(w->out, "%s = ", w->k->symbols[n->symbol].name);
    rg_buf_printf(w->out, "atomic_%s(", words[n->atomic]);
    for (int i = 0; i < n->n; i++) {
        rg_buf_str(w->out, i ? ", " : "");
        if (i && update) rg_buf_printf(w->out, "%s -> ", w->k->symbols[n->symbol].name);
        expression(w, n->kid[i]);
    }
    rg_buf_printf(w->out, ") in the %s", rg__kir_scope_word(n->scope));
    rg__kir_end(w, "");
}

static void matrix(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const words[] = {"fill", "load", "store", "multiply", "round"};
    rg__kir_start(w);
    rg_buf_printf(w->out, "matrix_%s(", words[n->matrix]);
    for (int i = 0; i < n->n; i++) {
        rg_buf_str(w->out, i ? ", " : "");
        expression(w, n->kid[i]);
    }
    rg__kir_end(w, ")");
}

static void copy(struct kir_writer *w, const struct kir_node *n)
{
    rg__kir_start(w);
    expression(w, n->kid[0]);
    rg_buf_str(w->out, n->async ? " <- " : " = ");
    expression(w, n->kid[1]);
    if (n->width > 1)
        rg_buf_printf(w->out, "  (%d elements at once%s", n->width, n->async ? ", later)" : ")");
    else
        rg_buf_str(w->out, n->async ? "  (later)" : "");
    rg__kir_end(w, "");
}

/* The user's statement, line by line. */
static void opaque(struct kir_writer *w, const struct kir_node *n)
{
    struct rg_c_printer p = {.arg = NULL, .node = NULL, .indent = w->indent};
    size_t before = w->out->len;
    rg_c_print(w->out, n->names->t, n->tree, &p);
    if (w->out->len > before && w->out->data[w->out->len - 1] != '\n') rg_buf_char(w->out, '\n');
}

static void extents(struct kir_writer *w, const struct kir_symbol *s)
{
    for (int d = 0; d < s->n_dims; d++) {
        rg_buf_char(w->out, '[');
        if (s->dims[d]) expression(w, s->dims[d]);
        rg_buf_char(w->out, ']');
    }
}

static void assignment(struct kir_writer *w, const char *what, const struct kir_node *n)
{
    const struct kir_symbol *s = &w->k->symbols[n->symbol];
    rg__kir_start(w);
    rg_buf_printf(w->out, "%s%s", s->inside ? rg__kir_space_word(s->space) : what, s->inside ? " " : "");
    rg_buf_printf(w->out, "%s", s->name);
    if (*what) rg_buf_printf(w->out, ": %s", rg_scalar_cuda(s->type));
    if (s->inside) extents(w, s);
    if (n->n) {
        rg_buf_str(w->out, s->inside && s->space == KIR_GLOBAL ? " is what begins at " : " = ");
        expression(w, n->kid[0]);
    }
    rg__kir_end(w, "");
}

static void sort(struct kir_writer *w, const struct kir_node *n)
{
    bool merge = n->sort == KIR_SORT_MERGE;
    rg__kir_start(w);
    if (n->sort == KIR_SORT_OWN) {
        rg_buf_str(w->out, "sort ");
        expression(w, n->kid[0]);
        rg_buf_str(w->out, " and on, ");
        expression(w, n->kid[1]);
        rg_buf_printf(w->out, " elements, by %s", n->tree->kid[1]->text);
        rg__kir_end(w, "");
        return;
    }
    rg_buf_printf(w->out, "%s tile ", merge ? "merge" : "sort");
    expression(w, n->kid[2]);
    rg_buf_str(w->out, " of ");
    if (merge) {
        rg_buf_str(w->out, "the runs of ");
        expression(w, n->kid[4]);
        rg_buf_str(w->out, " from ");
        expression(w, n->kid[3]);
        rg_buf_str(w->out, " on, to ");
    }
    expression(w, n->kid[0]);
    rg_buf_str(w->out, " and on, ");
    expression(w, n->kid[1]);
    rg_buf_printf(w->out, " elements, in %s, by %s", w->k->symbols[n->symbol].name, n->tree->kid[1]->text);
    rg__kir_end(w, "");
}

static void statement(struct kir_writer *w, const struct kir_node *n)
{
    static const char *const leaves[] = {"break", "continue", "return"};
    if (n->note) rg__kir_line(w, "# %s", n->note);
    switch (n->kind) {
    case KIR_SEQ:
        for (int i = 0; i < n->n; i++) statement(w, n->kid[i]);
        return;
    case KIR_FOR:
        loop(w, n);
        return;
    case KIR_WHILE:
    case KIR_IF:
        rg__kir_start(w);
        rg_buf_str(w->out, n->kind == KIR_IF ? "if " : "while ");
        expression(w, n->kid[0]);
        rg__kir_end(w, ":");
        body(w, n->kid[1]);
        if (n->kind == KIR_IF && n->kid[2]) {
            rg__kir_line(w, "else:");
            body(w, n->kid[2]);
        }
        return;
    case KIR_LET:
        assignment(w, "let ", n);
        return;
    case KIR_VAR:
        assignment(w, "var ", n);
        return;
    case KIR_ASSIGN:
        assignment(w, "", n);
        return;
    case KIR_STORE:
        rg__kir_start(w);
        expression(w, n->kid[0]);
        rg_buf_str(w->out, " = ");
        expression(w, n->kid[1]);
        rg__kir_end(w, "");
        return;
    case KIR_COPY:
        copy(w, n);
        return;
    case KIR_COMMIT:
        rg__kir_line(w, "copies so far are a group");
        return;
    case KIR_WAIT:
        rg__kir_line(w, "wait until at most %lld groups of copies are on their way", (long long)n->ivalue);
        return;
    case KIR_BARRIER:
        rg__kir_line(w, "barrier of the %s", rg__kir_scope_word(n->scope));
        return;
    case KIR_FENCE:
        rg__kir_line(w, "fence of the %s", rg__kir_scope_word(n->scope));
        return;
    case KIR_ATOMIC:
        atomic(w, n);
        return;
    case KIR_MATRIX:
        matrix(w, n);
        return;
    case KIR_LEAVE:
        rg__kir_line(w, "%s", leaves[n->leave]);
        return;
    case KIR_PHASE:
        rg__kir_start(w);
        rg_buf_printf(w->out, "phase %s as block ", n->phase->name);
        expression(w, n->kid[0]);
        rg_buf_str(w->out, " of ");
        expression(w, n->kid[1]);
        rg__kir_end(w, "");
        return;
    case KIR_SORT:
        sort(w, n);
        return;
    case KIR_OPAQUE:
        opaque(w, n);
        return;
    default:
        return;
    }
}

static void symbols(struct kir_writer *w)
{
    static const char *const roles[] = {"A", "B", "C"};
    for (int i = 0; i < w->k->n_symbols; i++) {
        const struct kir_symbol *s = &w->k->symbols[i];
        if (s->kind == KIR_CONSTANT) rg__kir_line(w, "constant %s = %lld", s->name, (long long)s->value);
        if (s->kind == KIR_PARAM) rg__kir_line(w, "parameter %s: %s", s->name, rg__kir_type_word(s));
        if (s->kind != KIR_BUFFER || s->inside) continue;
        rg__kir_start(w);
        rg_buf_printf(w->out, "%s %s: %s", rg__kir_space_word(s->space), s->name, rg__kir_type_word(s));
        extents(w, s);
        if (s->space == KIR_GLOBAL) rg_buf_str(w->out, s->written ? "" : ", read only");
        if (s->space == KIR_SHARED && s->shared_by == KIR_WARP) rg_buf_str(w->out, ", a part for each warp");
        if (s->pad) rg_buf_printf(w->out, ", %d elements of padding behind each row", s->pad);
        if (s->stages) rg_buf_printf(w->out, ", %d stages", s->stages);
        if (s->space == KIR_FRAGMENT)
            rg_buf_printf(w->out, ", matrix %s of %d x %d x %d%s", roles[s->fragment.role], s->fragment.rows,
                          s->fragment.columns, s->fragment.depth, s->fragment.tf32 ? ", tf32" : "");
        rg__kir_end(w, "");
    }
}

void rg__kir_pseudo(const struct kir_kernel *k, struct rg_buf *out)
{
    struct kir_writer w = {.k = k, .out = out, .indent = 1};
    rg_buf_printf(out, "kernel %s:\n", k->name);
    if (k->heading) rg__kir_line(&w, "# %s", k->heading);
    symbols(&w);
    if (k->body) statement(&w, k->body);
}
