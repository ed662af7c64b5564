/* What the reader of mangled names makes of them. */
#ifndef RG_RUNTIME_MANGLE_H
#define RG_RUNTIME_MANGLE_H
#include <rg/plan.h>

enum { MAX_DEPTH = 48, MAX_SUBSTITUTIONS = 4096, MAX_NAME = 1000, MAX_LOWERED = 16384, MAX_PARAMS = 256 };

enum rg__type_kind {
    BUILTIN,
    VOID,
    NAMED,
    POINTER,
    REFERENCE,
    CV,
    ARRAY,
    FUNCTION,
    TEMPLATE_PARAM,
    EXPANSION,
    PACK,
    LITERAL,
    UNKNOWN
};

struct rg__type {
    enum rg__type_kind kind;
    enum rg_scalar scalar;      /* BUILTIN */
    const char *name;           /* NAMED; a namespace or template while it is a prefix */
    bool is_const, is_restrict; /* CV */
    struct rg__type *of;        /* POINTER, REFERENCE, CV, ARRAY, EXPANSION */
    int index;                  /* TEMPLATE_PARAM */
    int n;                      /* PACK */
    struct rg__type **items;
};

struct rg__mangle {
    struct rg_arena *a;
    const char *p, *end;
    int depth, n_subs;
    struct rg__type **subs;
    int n_args; /* of the innermost template-args of the function's own name: what T_ means */
    struct rg__type **args;
    bool failed;
};

/* <name> [<return type>] <parameter types>; behind the "_Z". own: of the kernel itself. False: r->p is where it ends to
 * make sense. */
bool rg__mangle_encoding(struct rg__mangle *r, bool own, struct rg__type ***params, int *n_params);
#endif
