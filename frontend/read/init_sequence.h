/* Several set-up functions in their order as one. */
#ifndef RG_FRONTEND_INIT_SEQUENCE_H
#define RG_FRONTEND_INIT_SEQUENCE_H
#include <rg/error.h>
#include <stdbool.h>

enum { RG__SEQUENCE_PARTS = 16, RG__SEQUENCE_ARGS = 64 };

struct rg__sequence {
    int function;     /* in unit: that which calls them; -1: fewer than two are named */
    const char *text; /* its C */
    int n, of[RG__SEQUENCE_PARTS];
    int n_params, n_own;
    struct rg__sequence_param { /* of one of them, and which of its own it is */
        int function, at, is;
        const char *name; /* NULL */
    } params[RG__SEQUENCE_ARGS];
    const char *own_name[RG__SEQUENCE_ARGS];
};

struct rg__load;
/* Where the directives name several, one function behind the file that calls them (load->sequence), and one directive
 * that names it. RG_INPUT: one of them is not there, or named twice, or 'none' or main. */
enum rg_status rg__init_sequence(struct rg__load *l);
bool rg__in_sequence(const struct rg__load *l, int function); /* is it one of them? */
/* Which of its own parameters that argument of one of them is; -1: none. */
int rg__sequence_at(const struct rg__load *l, int function, int at);
/* What the parameter of one of them is called there; `name` itself where it is none. */
const char *rg__sequence_name(const struct rg__load *l, int function, const char *name);
#endif
