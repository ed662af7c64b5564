/* What each kind of node holds, for saving and loading trees. */
#ifndef RG_IR_CTREE_JSON_H
#define RG_IR_CTREE_JSON_H
#include <limits.h>
#include <rg/ctree.h>

#define RG__TREE_FORMAT "regraph-tree/1"
enum { RG__TREE_DIMS = 64, RG__N_C_KINDS = RG_C_VERBATIM + 1, RG__N_CVAR_KINDS = RG_CVAR_LOCAL + 1 };

enum rg__text_rule { RG__TEXT_FREE, RG__TEXT_NEEDED, RG__TEXT_OPERATOR /* in files; .op in the tree */ };
struct rg__c_shape {
    const char *word;
    int least, most;  /* kids */
    unsigned missing; /* bit i: kid i may be NULL */
    enum rg__text_rule text;
    bool expression;  /* a value; its kids are values */
    bool opaque_only; /* stands inside OPAQUE only */
};
extern const struct rg__c_shape rg__c_shapes[RG__N_C_KINDS];
extern const char *const rg__cvar_words[RG__N_CVAR_KINDS];
#endif
