/* Kernel IR: the end of building a kernel. The passes run, and what the printers and the verifier ask of a symbol is
 * marked. */
#include "ir/ctree_util.h"
#include "poly/kir/kir.h"
#include <string.h>

/* ---- names as the file has them ---- */

/* The name without the number that keeps variables of different loops of the function apart (i_2); NULL: there is no
 * such number, or the kernel has another one of that name. */
static const char *plain_name(struct kir_kernel *k, const struct kir_symbol *s)
{
    const char *at = strrchr(s->name, '_');
    bool named = false;
    if (!at || at == s->name || !at[1] || strspn(at + 1, "0123456789") != strlen(at + 1)) return NULL;
    const char *plain = rg_arena_printf(k->arena, "%.*s", (int)(at - s->name), s->name);
    for (int v = 0; v < k->tree->n_vars; v++) named = named || !strcmp(k->tree->vars[v].name, plain);
    for (int h = 0; h < k->tree->n_helpers; h++) named = named && strcmp(k->tree->helpers[h].name, plain);
    for (int i = 0; i < k->n_symbols; i++) named = named && strcmp(k->symbols[i].name, plain);
    return named ? plain : NULL;
}

static void plain_names(struct kir_kernel *k)
{
    const bool opaque = rg__kir_has_opaque(k->body); /* the user's code declares names of its own */
    for (int i = 0; i < k->n_symbols && k->tree && !opaque; i++) {
        struct kir_symbol *s = &k->symbols[i];
        bool local = s->kind == KIR_INDEX || s->kind == KIR_VALUE || s->kind == KIR_SCALAR;
        const char *plain = local ? plain_name(k, s) : NULL;
        if (plain) s->name = plain;
    }
}

/* ---- all of them ---- */

static bool mark(void *arg, const struct kir_node *n)
{
    struct kir_kernel *k = arg;
    int to = n->kind == KIR_STORE || n->kind == KIR_COPY || (n->kind == KIR_ATOMIC && n->atomic != KIR_ATOMIC_READ)
                 ? rg__kir_buffer_at(n->kid[0])
             : n->kind == KIR_SORT                                    ? n->kid[0]->symbol
             : n->kind == KIR_MATRIX && n->matrix == KIR_MATRIX_STORE ? n->kid[1]->symbol
                                                                      : -1;
    if (to >= 0) k->symbols[to].written = true;
    for (int i = 2; n->kind == KIR_PHASE && i < n->n; i++)
        if (n->phase->written[i - 2]) k->symbols[n->kid[i]->symbol].written = true;
    for (int a = 0; rg__kir_quotes(n) && a < n->names->t->n_arrays; a++)
        if (n->names->buffer[a] >= 0 && !k->symbols[n->names->buffer[a]].input && rg__writes_array(n->tree, a))
            k->symbols[n->names->buffer[a]].written = true;
    return true;
}

/* What is written to a part is to the buffer that it is of. */
static bool mark_whole(void *arg, const struct kir_node *n)
{
    struct kir_kernel *k = arg;
    bool part =
        n->kind == KIR_VAR && k->symbols[n->symbol].kind == KIR_BUFFER && k->symbols[n->symbol].space == KIR_GLOBAL;
    if (part && k->symbols[n->symbol].written) k->symbols[n->kid[0]->symbol].written = true;
    return true;
}

void rg__kir_finish(struct kir_kernel *k)
{
    k->body = rg__kir_simplify(k, k->body);
    k->body = rg__kir_hoist(k, k->body);
    k->body = rg__kir_drop_lets(k, k->body);
    k->body = rg__kir_simplify(k, k->body);
    rg__kir_walk(k->body, mark, k);
    rg__kir_walk(k->body, mark_whole, k);
    rg__kir_chosen_loads(k);
    k->body = rg__kir_integer_extremes(k, k->body);
    k->body = rg__kir_drop_lets(k, k->body);
    plain_names(k);
}
