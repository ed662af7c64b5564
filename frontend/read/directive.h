/* What pragmas and options say about a problem (design section 4). Options win over pragmas. */
#ifndef RG_FRONTEND_DIRECTIVE_H
#define RG_FRONTEND_DIRECTIVE_H
#include "frontend/read/source.h"
#include <rg/frontend.h>

enum rg__directive_kind {
    RG__DIR_SIZE,
    RG__DIR_EXTENT,
    RG__DIR_REQUIRE,
    RG__DIR_ROLE,
    RG__DIR_INPUT,
    RG__DIR_EXPECT,
    RG__DIR_INIT,
    RG__DIR_TOLERANCE,
    RG__DIR_MISMATCH
};

struct rg__directive {
    enum rg__directive_kind kind;
    const char *name;                   /* before ':' (EXTENT, ROLE, INPUT, EXPECT, MISMATCH); NULL */
    const char *text;                   /* the rest, trimmed; members of structures by their parameters' names */
    const char *written, *name_written; /* text and name as the user wrote them */
    const char *file;                   /* "" from an option */
    int line, column;                   /* of the text */
    uint32_t at;                        /* of the pragma in the preprocessed text */
    bool option;
};

struct rg__directives {
    struct rg_arena arena;
    int n, cap;
    struct rg__directive *items;
};

void rg__directives_release(struct rg__directives *d);
/* One pragma's text behind "regraph". Foreign bytes: never reads beyond the NUL. */
enum rg_status rg__directives_parse(struct rg__directives *d, const char *text, const char *file, int line, int column,
                                    uint32_t at, struct rg_error *err);
/* Every `#pragma regraph` of the text. */
enum rg_status rg__directives_scan(struct rg__directives *d, const struct rg__source *s, struct rg_error *err);
enum rg_status rg__directives_options(struct rg__directives *d, const struct rg_frontend_options *o,
                                      struct rg_error *err);

/* "a=1, b = 2*a": calls fn for each name and value text. */
enum rg_status rg__assignments(struct rg_arena *a, const struct rg__directive *d,
                               enum rg_status (*fn)(void *arg, const char *name, const char *value, int column,
                                                    struct rg_error *err),
                               void *arg, struct rg_error *err);
/* An error at the directive's place. */
/* The name in the directive as the user wrote it: "p.nx" or "p->nx" for p_nx. The directive's memory, or `name` itself.
 */
const char *rg__directive_name(struct rg__directives *all, const struct rg__directive *d, const char *name);
enum rg_status rg__directive_error(struct rg_error *err, const struct rg__directive *d, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "uniform(0, n-1)", "x.npy": RG_INPUT when it is no distribution. */
enum rg_status rg__parse_input(struct rg_arena *a, const struct rg__directive *d, struct rg_input *out,
                               struct rg_error *err);
#endif
