/* trunc(R) of rg/expr.h. */
#ifndef IR_CTREE_REAL_H
#define IR_CTREE_REAL_H
#include <rg/ctree.h>
#include <rg/expr.h>
/* The expression of (int)R, where R is computed of literals, sizes and real parameters that nothing sets; NULL: it is
 * no such cast. Memory in `a`. Each operation is rounded as C rounds it (f32()), but that a compiler may fuse a product
 * and a sum. */
const struct rg_expr *rg__c_trunc_expr(const struct rg_ctree *t, const struct rg_cnode *n, struct rg_arena *a);
/* The node of a call of trunc; NULL where it names what the tree does not have. */
struct rg_cnode *rg__c_from_trunc(struct rg_ctree *t, const struct rg_expr *e);
/* A call of a function that trunc() knows. */
bool rg__c_real_call(const struct rg_cnode *n);
#endif
