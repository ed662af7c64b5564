/* Kernel IR: loads of which one is chosen, and the read-only cache.
 *     x = m ? a[i] : c[k];      if (m) x = a[i]; else x = c[k];
 * The compiler makes one load of the two, at the address that is chosen. CUDA 13.0's takes that through the read-only
 * cache where a is `const __restrict__`, although the kernel writes c: what it has just written there is not seen. So a
 * does without `restrict` in such a kernel. */
#include "ir/ctree_util.h"
#include "poly/kir/kir.h"
#include <stdlib.h>

enum { MOST = 64 }; /* buffers in global memory that are told apart */

struct loads {
    const struct kir_kernel *k;
    int n, buffer[MOST];
    uint64_t *of;     /* [symbol] loads that its value is made of */
    uint64_t *plain;  /* [symbol] those that are its value, by one definition or another */
    bool more;        /* a mask has grown */
    uint64_t refused; /* chosen beside a load of what is written */
};

static uint64_t bit_of(struct loads *l, int symbol)
{
    const struct kir_symbol *s = &l->k->symbols[symbol];
    if (s->kind != KIR_BUFFER || s->space != KIR_GLOBAL || s->inside) return 0;
    for (int i = 0; i < l->n; i++)
        if (l->buffer[i] == symbol) return (uint64_t)1 << i;
    if (l->n == MOST) return 0;
    l->buffer[l->n] = symbol;
    return (uint64_t)1 << l->n++;
}

struct sum {
    struct loads *l;
    uint64_t mask;
};

static bool add(void *arg, const struct kir_node *n)
{
    struct sum *s = arg;
    if (n->symbol >= 0) s->mask |= n->kind == KIR_ELEMENT ? bit_of(s->l, n->symbol) : s->l->of[n->symbol];
    for (int a = 0; rg__kir_quotes(n) && n->names && a < n->names->t->n_arrays; a++)
        if (n->names->buffer[a] >= 0 && rg__c_mentions_array(n->tree, a)) s->mask |= bit_of(s->l, n->names->buffer[a]);
    return true;
}

static uint64_t all_of(struct loads *l, const struct kir_node *n)
{
    struct sum s = {l, 0};
    if (n) rg__kir_walk(n, add, &s);
    return s.mask;
}

/* Loads that are the value as they come. */
static uint64_t plain_of(struct loads *l, const struct kir_node *n)
{
    if (n->kind == KIR_ELEMENT) return bit_of(l, n->symbol);
    if (n->kind == KIR_NAME) return l->plain[n->symbol];
    if (n->kind == KIR_CAST) return plain_of(l, n->kid[0]);
    return n->kind == KIR_SELECT ? plain_of(l, n->kid[1]) | plain_of(l, n->kid[2]) : 0;
}

static void beside(struct loads *l, uint64_t one, uint64_t other)
{
    for (int i = 0; i < l->n; i++)
        for (int j = 0; one >> i & 1 && j < l->n; j++) {
            const struct kir_symbol *a = &l->k->symbols[l->buffer[i]], *b = &l->k->symbols[l->buffer[j]];
            if (!(other >> j & 1) || a->written == b->written || rg_scalar_bytes(a->type) != rg_scalar_bytes(b->type))
                continue;
            l->refused |= (uint64_t)1 << (a->written ? j : i);
        }
}

static bool see(void *arg, const struct kir_node *n)
{
    struct loads *l = arg;
    if ((n->kind == KIR_LET || n->kind == KIR_VAR || n->kind == KIR_ASSIGN) && n->n && n->kid[0] && n->symbol >= 0) {
        uint64_t of = l->of[n->symbol] | all_of(l, n->kid[0]), value = plain_of(l, n->kid[0]);
        beside(l, l->plain[n->symbol], value);
        l->more |= of != l->of[n->symbol] || (l->plain[n->symbol] | value) != l->plain[n->symbol];
        l->of[n->symbol] = of;
        l->plain[n->symbol] |= value;
    }
    if (n->kind == KIR_SELECT || (n->kind == KIR_IF && n->n > 2 && n->kid[2]))
        beside(l, all_of(l, n->kid[1]), all_of(l, n->kid[2]));
    if (rg__kir_quotes(n) && (rg__mentions_kind(n->tree, RG_C_COND) || rg__mentions_kind(n->tree, RG_C_IF)))
        beside(l, all_of(l, n), all_of(l, n));
    return true;
}

void rg__kir_chosen_loads(struct kir_kernel *k)
{
    struct loads l = {.k = k, .of = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *l.of)};
    l.plain = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *l.plain);
    do {
        l.more = false;
        rg__kir_walk(k->body, see, &l);
    } while (l.more);
    for (int i = 0; i < l.n; i++)
        if (l.refused >> i & 1) k->symbols[l.buffer[i]].alone = false;
    free(l.of);
    free(l.plain);
}
