/* The verifier: what rg/ctree.h promises of a tree, as code, by how far the tree has come. Files are checked with it, and every pass of
 * the front end where RG_VERIFY is set (normalise/passes.c). */
#ifndef RG_IR_CTREE_VERIFY_H
#define RG_IR_CTREE_VERIFY_H
#include <rg/ctree.h>

enum rg__c_level {
    RG__C_RAW,      /* as read: any kind of node anywhere, but no jump to a label */
    RG__C_LOOPS,    /* counted loops are LOOP, over a variable of their own that nothing else sets; no name of an array means several */
    RG__C_CANONICAL /* as rg/ctree.h has it: what is not affine stands in OPAQUE */
};
const char *rg__c_level_word(enum rg__c_level level);

/* What is wrong with the node by itself: its parts' number and kinds, its operator, what it names. NULL: nothing. */
const char *rg__c_node_fault(const struct rg_ctree *t, const struct rg_cnode *n);
/* `as` with what is wrong with the tree and the line it stands in. */
enum rg_status rg__c_verify(const struct rg_ctree *t, enum rg__c_level level, enum rg_status as, struct rg_error *err);
#endif
