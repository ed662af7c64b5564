/* What the oracle's rewriting knows about C text without parsing it fully: brackets, functions and which of them are
 * reached, and for every name whether the data behind it is float, double, integer ... Names are what the user's and
 * the system's declarations say; an unknown name is RG__T_ANY. */
#ifndef RG_FRONTEND_ORACLE_SCAN_H
#define RG_FRONTEND_ORACLE_SCAN_H
#include "frontend/emit/oracle.h"

/* The scalars below any pointers, arrays and structs: a set. */
enum { RG__T_FLOAT = 1, RG__T_DOUBLE = 2, RG__T_INT = 4, RG__T_VOID = 8, RG__T_ANY = 16, RG__T_LONG_DOUBLE = 32 };

enum rg__name_space { RG__NAME_TYPEDEF, RG__NAME_TAG, RG__NAME_MEMBER, RG__NAME_GLOBAL, RG__NAME_LOCAL, RG__NAME_FILE };
enum {
    RG__NAME_DEFINED = 1, /* global: a function with a body, a variable without extern */
    RG__NAME_USER = 2,    /* declared in the user's region */
    RG__NAME_FUNCTION = 4,
    RG__NAME_WIDENED = 8,      /* function: a type that changes in its prototype */
    RG__NAME_WIDENED_PTR = 16, /* function: a pointer to such a type */
    RG__NAME_PUNNED = 32,      /* member: of a union whose members differ in how they change */
    RG__NAME_SIZED = 64,       /* assigned from an expression with sizeof */
};

struct rg__name {
    const char *text; /* in the source, not terminated */
    uint32_t len;
    int scope; /* LOCAL: the function */
    enum rg__name_space space;
    unsigned types, flags;
    int next; /* in its bucket; -1 */
};

struct rg__oracle_function {
    int name;     /* token; -1 unknown */
    int open;     /* '(' of its parameters */
    int from, to; /* '{' and '}' */
    bool reached;
};

struct rg__oracle_scan {
    const struct rg__source *s;
    enum rg__oracle_mode mode;
    int *nesting;      /* of the types being read */
    unsigned changed;  /* RG__T_ bits that the mode widens */
    int *match;        /* by token: the other bracket; -1 */
    bool *user, *keep; /* by token: rewritten at all; left as it is */
    int *function;     /* by token: the function it is in, parameters included; -1 */
    int n_functions, cap_functions;
    struct rg__oracle_function *functions;
    int n_names, cap_names, *bucket;
    unsigned n_buckets;
    struct rg__name *names;
};

void rg__oracle_scan_init(struct rg__oracle_scan *o, const struct rg__source *s, enum rg__oracle_mode mode,
                          const char *const *roots);
void rg__oracle_scan_release(struct rg__oracle_scan *o);

/* Of the files that scan: a name, added when it is new; words before parentheses in declarations; every declaration in
 * the text (oracle_types.c). */
struct rg__name *rg__oracle_add(struct rg__oracle_scan *o, enum rg__name_space space, int scope, int tok);
extern const char *const rg__oracle_attributes[];
void rg__oracle_declarations(struct rg__oracle_scan *o);

/* NULL when there is none. Valid until the next declaration is scanned. */
const struct rg__name *rg__oracle_name(const struct rg__oracle_scan *o, enum rg__name_space space, int scope, int tok);
/* The name a token means where it stands: a local, else a global; NULL. */
const struct rg__name *rg__oracle_meaning(const struct rg__oracle_scan *o, int tok);
bool rg__oracle_in(const struct rg__source *s, int tok, const char *const *words); /* NULL-terminated */

/* Type specifiers from `tok` on: the token behind them, `tok` when there are none. *types the scalars; *flags
 * RG__SPEC_. */
enum { RG__SPEC_TYPE = 1, RG__SPEC_TYPEDEF = 2, RG__SPEC_EXTERN = 4 };
int rg__oracle_specifiers(const struct rg__oracle_scan *o, int tok, unsigned *types, unsigned *flags);
/* `(type)` at '(': *types and the number of '*'; false when it is no type in parentheses. */
bool rg__oracle_cast(const struct rg__oracle_scan *o, int open, unsigned *types, int *stars);
/* The scalars behind the expression that starts at `tok` (its first operand). */
unsigned rg__oracle_operand(const struct rg__oracle_scan *o, int tok);

/* oracle_pun.c: the first reason against an oracle, a sentence in `a`; NULL none. */
const char *rg__oracle_objection(const struct rg__oracle_scan *o, struct rg_arena *a);
/* oracle_math.c: what a math function's name becomes; 0 none, 1 `out` its plain name, 2 a __builtin_ may be called. */
int rg__oracle_math(const char *name, size_t len, enum rg__oracle_mode mode, char out[40]);
#endif
