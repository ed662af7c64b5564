/* A parsed translation unit: libclang's tree over our own tokens. */
#ifndef RG_FRONTEND_UNIT_H
#define RG_FRONTEND_UNIT_H
#include "frontend/read/clang_api.h"
#include "frontend/read/source.h"
#include <rg/problem.h>

struct rg__function { /* defined in the user's files */
    CXCursor cursor, body;
    const char *name;
    uint32_t at, end;       /* of the definition */
    bool is_static, called; /* called by another function of the file, main aside */
    int line;
    const char *file;
};

struct rg__unit {
    struct rg__source src;
    const struct rg__clang *c;
    CXIndex index;
    CXTranslationUnit tu;
    int n_problems, cap_problems; /* what libclang cannot read although the C compiler can */
    struct rg__problem_at {
        uint32_t at;
        const char *text;
    } * problems;
    int n_functions, cap_functions;
    struct rg__function *functions;
    uint32_t linked_at; /* from there on declarations of other files (link.c); 0: there are none */
};

/* Preprocesses and parses. RG_INPUT: the compiler's message at its place. */
enum rg_status rg__unit_open(struct rg__unit *u, const char *file, const char *cflags, struct rg_error *err);
/* The same of preprocessed text, which it takes (malloc'd); no compiler is asked about what libclang cannot read. */
enum rg_status rg__unit_parse(struct rg__unit *u, char *text, size_t len, const char *cflags, struct rg_error *err);
/* link.c: the same unit with what its functions need of the files `with`. Functions and places keep their numbers; what
 * is added comes behind. Cost: each file is parsed once. */
enum rg_status rg__unit_link(struct rg__unit *u, const char *const *with, int n_with, const char *cflags,
                             struct rg_error *err);
bool rg__unit_linked(const struct rg__unit *u, uint32_t at);            /* does it come from one of them? */
bool rg__unit_has_variable(const struct rg__unit *u, const char *name); /* at file scope */
void rg__unit_close(struct rg__unit *u);
/* The first place in [at, end) that libclang could not read; NULL when there is none. */
const struct rg__problem_at *rg__unit_problem(const struct rg__unit *u, uint32_t at, uint32_t end);
/* The function with a body that a declaration or definition cursor names; -1. */
int rg__unit_function(const struct rg__unit *u, CXCursor decl);
int rg__unit_function_named(const struct rg__unit *u, const char *name);

uint32_t rg__cursor_at(const struct rg__unit *u, CXCursor c);  /* first byte */
uint32_t rg__cursor_end(const struct rg__unit *u, CXCursor c); /* behind the last byte */
/* Identity of a declaration: its name's offset. */
uint32_t rg__decl_key(const struct rg__unit *u, CXCursor decl);
const char *rg__cursor_name(const struct rg__unit *u, CXCursor c, struct rg_arena *a);
const char *rg__type_name(const struct rg__unit *u, CXType t, struct rg_arena *a);

struct rg__children {
    int n;
    CXCursor *items; /* in the arena given */
};
struct rg__children rg__cursor_children(const struct rg__unit *u, CXCursor c, struct rg_arena *a);
/* Calls fn on every cursor below `c`, pre-order. */
void rg__cursor_walk(const struct rg__unit *u, CXCursor c, void (*fn)(void *arg, CXCursor c), void *arg);

/* The value of a constant integer expression or of an initialised constant. */
bool rg__eval_int(const struct rg__unit *u, CXCursor c, int64_t *v);
bool rg__eval_real(const struct rg__unit *u, CXCursor c, double *v);
/* A scalar type (enums by their integer type); false for everything else. */
bool rg__type_scalar(const struct rg__unit *u, CXType t, enum rg_scalar *out);
bool rg__type_is_array(const struct rg__unit *u, CXType t);
bool rg__type_is_pointer(const struct rg__unit *u, CXType t);
bool rg__type_is_record(const struct rg__unit *u, CXType t);
#endif
