/* Inside the translation of host code to plans (hostplan.c): names, expressions, declarations. */
#ifndef RG_LLM_HOSTPLAN_H
#define RG_LLM_HOSTPLAN_H
#include "llm.h"

enum {
    RG__HP_MAX_NAMES = 96,
    RG__HP_MAX_ARGS = 40,
    RG__HP_MAX_DEPTH = 24,
    RG__HP_MAX_EXPR = 2000,
    RG__HP_MAX_BODY = 1 << 16
};

enum rg__hp_kind { RG__HP_NAME_POINTER, RG__HP_NAME_INT, RG__HP_NAME_DIM3 };
struct rg__hp_name {
    enum rg__hp_kind kind;
    const char *name;
    const char *type;  /* POINTER: element type words */
    const char *value; /* INT, DIM3: its expression, inlined. POINTER: what it stands for, NULL: itself (scratch) */
    const char *bytes; /* POINTER: cudaMalloc'd */
    bool variable;     /* INT: assigned again, so it becomes a plan variable */
};

struct rg__hp {
    const struct rg_problem *p;
    struct rg_arena a;
    const char *body; /* blanked */
    size_t len;
    struct rg__hp_name names[RG__HP_MAX_NAMES];
    int n_names;
    struct rg_buf out, scratch;
    int indent, depth, launches;
    char *why;
    size_t why_size;
    bool bad;
};

/* Refuses the whole translation; the first reason stays. Always false. */
bool rg__hp_refuse(struct rg__hp *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *rg__hp_strip(struct rg_arena *a, const char *s, size_t n); /* trimmed, on one line */
struct rg__hp_name *rg__hp_find(struct rg__hp *t, const char *word);
struct rg__hp_name *rg__hp_add(struct rg__hp *t, enum rg__hp_kind kind, const char *word);
/* Splits at commas outside brackets into at most RG__HP_MAX_ARGS; -1 when there are more. */
int rg__hp_split(struct rg_arena *a, const char *s, char **out);
/* name(args): the arguments' text; NULL when s is not a call of exactly that form. */
char *rg__hp_call_args(struct rg_arena *a, const char *s, const char *name);
/* An expression that the plan language takes, or a refusal. */
char *rg__hp_expr(struct rg__hp *t, const char *s);
/* A grid or block: an expression, dim3(...), or a dim3 variable. */
char *rg__hp_dims(struct rg__hp *t, const char *s);
/* CHECK(cudaX(...)), err = cudaX(...), cudaError_t err = cudaX(...): the bare call. */
char *rg__hp_bare_call(struct rg__hp *t, char *s);
char *rg__hp_unref(struct rg__hp *t, char *s); /* &x, (void**)&x: x */
bool rg__hp_is_array_param(struct rg__hp *t, const char *word);
size_t rg__hp_int_prefix(const char *s); /* length of leading integer type words, 0 none */
bool rg__hp_pointer_declaration(const char *s);
/* Pass 1: notes what a statement declares, and what each device pointer stands for. */
void rg__hp_declare(struct rg__hp *t, char *s);
#endif
