/* Tunables: named integers with finite domains and constraints over them (`TX*TY <= 1024`). */
#ifndef RG_TUNABLE_H
#define RG_TUNABLE_H
#include <rg/arena.h>
#include <rg/decls.h>
#include <rg/error.h>
#include <rg/expr.h>
#include <stdbool.h>
#include <stdint.h>

RG_BEGIN_DECLS

enum { RG_MAX_TUNABLES = 16 };

struct rg_tunable {
    const char *name;
    int n_values; /* >= 1 */
    int64_t *values;
    int64_t start; /* the default, one of values */
    int link;      /* which action of the template's chain opened it, from 0; -1 unknown */
};

struct rg_tunables {
    int n;
    struct rg_tunable *items; /* at most RG_MAX_TUNABLES */
    int n_constraints;
    const struct rg_expr **constraints; /* over the names, and over integer parameters where a coder says so */
};

/* An assignment, parallel to items. */
struct rg_vector {
    int n;
    int64_t values[RG_MAX_TUNABLES];
};

void rg_tunables_default(const struct rg_tunables *t, struct rg_vector *out);
/* In its domains and satisfying every constraint. */
bool rg_tunables_allow(const struct rg_tunables *t, const struct rg_vector *v);
bool rg_vector_equal(const struct rg_vector *a, const struct rg_vector *b);
/* "TX=32,TY=8"; "" when there is none. */
void rg_vector_print(struct rg_buf *out, const struct rg_tunables *t, const struct rg_vector *v);
int rg_tunables_find(const struct rg_tunables *t, const char *name); /* -1 unknown */
bool rg_tunable_has(const struct rg_tunable *t, int64_t value);      /* in its domain */
RG_END_DECLS
#endif
