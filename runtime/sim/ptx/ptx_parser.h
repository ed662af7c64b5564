/* Shared by the two halves of the parser: module level (ptx_parse.c) and function bodies (ptx_body.c). */
#ifndef RG_SIM_PTX_PARSER_H
#define RG_SIM_PTX_PARSER_H
#include "runtime/sim/ptx/ptx_lex.h"
#include <rg/buf.h>

enum ptx_symbol_kind { PTX_S_REG, PTX_S_REG_RANGE, PTX_S_VAR, PTX_S_FUNC };
struct ptx_symbol {
    const char *name;
    size_t n;
    enum ptx_symbol_kind kind;
    int reg, count; /* REG: number; REG_RANGE: first and how many */
    struct ptx_var *var;
    int next, bucket;
};

struct ptx_label_ref {
    const char *name;
    size_t n;
    struct ptx_operand *o;
    int line, scope;
};
struct ptx_label {
    const char *name;
    size_t n;
    int label, scope;
};

enum { PTX_BUCKETS = 1024 };
struct ptx_parser {
    struct ptx_lexer l;
    struct ptx_module *m;
    struct rg_error *err;
    int n_symbols, cap_symbols;
    struct ptx_symbol *symbols; /* a stack: scopes end last in, first out */
    int buckets[PTX_BUCKETS];
    int n_refs, cap_refs;
    struct ptx_label_ref *refs;
    int n_labels, cap_labels;
    struct ptx_label *labels;
    int scope;
    /* current .loc, already chosen among the place and where it is inlined */
    bool rolled; /* a "nounroll" was read: it is the next instruction's */
    int cuda_line, cuda_file, home_file;
};

enum rg_status rg__ptx_fail(struct ptx_parser *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
enum rg_status rg__ptx_expect(struct ptx_parser *p, char c);
struct ptx_symbol *rg__ptx_symbol_add(struct ptx_parser *p, const char *name, size_t n, enum ptx_symbol_kind kind);
const struct ptx_symbol *rg__ptx_symbol_find(struct ptx_parser *p, const char *name, size_t n);
void rg__ptx_symbols_drop(struct ptx_parser *p, int keep);
/* A declaration from its space word on to the end of the statement; variables are appended to f (or the module when
 * NULL). */
enum rg_status rg__ptx_variables(struct ptx_parser *p, struct ptx_func *f, bool is_extern);
enum rg_status rg__ptx_parameter(struct ptx_parser *p, struct ptx_var **out);
enum rg_status rg__ptx_loc(struct ptx_parser *p);
enum rg_status rg__ptx_skip_statement(struct ptx_parser *p);           /* to ';' */
enum rg_status rg__ptx_body(struct ptx_parser *p, struct ptx_func *f); /* at '{' */
#endif
