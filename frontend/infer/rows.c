/* Row-wise computations (softmax, norms): a reduction over one loop, and a loop beside it, both within the loop over
 * rows, that writes elements of the row by what was reduced. A product with a vector reduces rows and is none. */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/ctree_util.h"

static int loop_var(const struct rg_cnode *l)
{
    return l->kind == RG_C_LOOP ? l->var : -1;
}

/* Takes its old value along, in loop number `depth` or deeper, and stands still over that loop. */
static bool reduces(const struct rg__write *x, int depth)
{
    int var = x->n_loops > depth ? loop_var(x->loops[depth]) : -1;
    if (var < 0 || !x->value || (x->target && rg__c_mentions_var(x->target, var))) return false;
    if (x->assign->kind != RG_C_ASSIGN) return false;
    if (x->assign->op != RG_COP_SET) return true;
    const struct rg_cnode *own = x->assign->kid[0], *stack[64];
    int n = 0;
    for (stack[n++] = x->value; n;) {
        const struct rg_cnode *e = stack[--n];
        if (rg__c_equal(e, own)) return true;
        for (int i = 0; i < e->n && n < 64; i++) stack[n++] = e->kid[i];
    }
    return false;
}

static bool uses(const struct rg__writes *w, const struct rg__write *x, const struct rg__write *reduced)
{
    if (!reduced->target) return rg__goes_back_to(w, x->value, reduced->var);
    return rg__c_mentions_array(x->value, reduced->target->array);
}

bool rg__rowwise(const struct rg__writes *w)
{
    for (int i = 0; i < w->n; i++)
        for (int k = 0; k < w->n; k++) {
            const struct rg__write *r = &w->items[i], *x = &w->items[k];
            int common = 0;
            while (common < r->n_loops && common < x->n_loops && r->loops[common] == x->loops[common]) common++;
            if (common == 0 || common >= x->n_loops || !x->target || !x->value || !reduces(r, common)) continue;
            if (r->target && r->target->array == x->target->array) continue;
            bool of_row = false, along = false;
            for (int l = 0; l < x->n_loops; l++) {
                int var = loop_var(x->loops[l]);
                bool in = var >= 0 && rg__c_mentions_var(x->target, var);
                of_row |= in && l < common;
                along |= in && l >= common;
            }
            if (of_row && along && uses(w, x, r)) return true;
        }
    return false;
}
