/* Shared by the files of the exporter. */
#ifndef RG_EXPORT_INTERNAL_H
#define RG_EXPORT_INTERNAL_H
#include "runtime/plan_internal.h"

/* Names in the exported code. Internal ones begin with a prefix that no text of the user or the coder contains; parameters keep
 * their names unless the kernels' code makes macros or kernels of them. */
struct rg__names {
    struct rg_arena a;
    const struct rg_problem *problem;
    const struct rg_plan *plan;
    const char *cuda;
    const char *prefix;
    const char *function;        /* "NAME_cuda" */
    const char *function_device; /* "NAME_cuda_device" */
    bool hides_function, hides_device; /* the kernels' code uses that name: it is renamed by a macro around it */
    struct rg__host host;
};
void rg__names_init(struct rg__names *n, const struct rg_problem *p, const struct rg_plan *plan, const char *cuda,
                    const char *plan_text);
void rg__names_release(struct rg__names *n);
/* A parameter's name in the code. */
const char *rg__name(struct rg__names *n, const char *name);

/* Text as comment lines: no line can leave its comment. */
void rg__comment(struct rg_buf *out, const char *text);

/* Parameters in the order of the exported function: the user's own, the result where asked for, file-scope variables. Returns
 * their number; order has room for n_params. */
int rg__export_order(const struct rg_problem *p, bool with_result, int *order);
int rg__result_param(const struct rg_problem *p); /* -1: void */

/* Can the struct be written as its fields, with the layout it has? */
bool rg__struct_is_regular(const struct rg_struct *s);

enum rg_status rg__export_cu(struct rg_buf *out, struct rg__names *n, const char *plan_text, const char *title,
                             struct rg_error *err);
void rg__export_h(struct rg_buf *out, struct rg__names *n, const char *title);
void rg__export_check(struct rg_buf *out, struct rg__names *n);
void rg__export_makefile(struct rg_buf *out, struct rg__names *n);
#endif
