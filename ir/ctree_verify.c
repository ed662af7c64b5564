#include "ir/ctree_verify.h"
#include "ir/ctree_json.h"
#include "ir/ctree_util.h"
#include <rg/scalar.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *text_fault(const struct rg_cnode *n)
{
    const enum rg__text_rule rule = rg__c_shapes[n->kind].text;
    if (rule == RG__TEXT_NEEDED && !n->text) return "its text is missing";
    if (rule == RG__TEXT_OPERATOR ? rg__c_op_kind(n->op) != n->kind : n->op != RG_COP_NONE) return "unknown operator";
    return NULL;
}

static const char *symbol_fault(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (n->var >= t->n_vars || n->array >= t->n_arrays || n->callee >= t->n_helpers) return "names a symbol that the tree lacks";
    if ((n->kind == RG_C_VAR || n->kind == RG_C_DECL) && (n->var < 0) == (n->array < 0)) return "names either a variable or an array";
    if (n->kind == RG_C_INDEX && n->array < 0) return "names no array";
    if (n->kind == RG_C_INDEX && n->n > t->arrays[n->array].n_dims) return "more subscripts than the array has dimensions";
    if (n->kind == RG_C_LOOP && n->var < 0) return "a loop without a variable";
    if (n->kind == RG_C_LOOP && (!n->step || n->step == INT64_MIN)) return "a loop's step must not be 0";
    return NULL;
}

static bool is_value(const struct rg_cnode *n)
{
    return (int)n->kind < RG__N_C_KINDS && rg__c_shapes[n->kind].expression;
}

/* Does kid i have to be a value? */
static bool wants_value(const struct rg_cnode *n, int i)
{
    switch (n->kind) {
    case RG_C_LOOP: return i != 2;
    case RG_C_DECL:
    case RG_C_RETURN:
    case RG_C_STMT: return true;
    case RG_C_IF:
    case RG_C_WHILE:
    case RG_C_SWITCH:
    case RG_C_CASE: return i == 0;
    case RG_C_DO:
    case RG_C_FOR: return i == 1;
    default: return is_value(n);
    }
}

static const char *kids_fault(const struct rg_cnode *n)
{
    const struct rg__c_shape *s = &rg__c_shapes[n->kind];
    if (n->n < s->least || n->n > s->most) return "wrong number of kids";
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        if (!k) {
            if (i > 31 || !(s->missing >> i & 1)) return "a part that it needs is null";
            continue;
        }
        bool value = is_value(k), either = n->kind == RG_C_FOR && (i == 0 || i == 2);
        if (wants_value(n, i) && !value) return "a statement stands where a value is needed";
        if (!wants_value(n, i) && !either && value && k->kind != RG_C_VERBATIM) return "a value stands where a statement is needed";
    }
    return NULL;
}

const char *rg__c_node_fault(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if ((int)n->kind >= RG__N_C_KINDS) return "a label or a jump to one";
    const char *fault = text_fault(n);
    if (!fault) fault = symbol_fault(t, n);
    return fault ? fault : kids_fault(n);
}

/* ---- the tree ---- */

struct verifying {
    const struct rg_ctree *t;
    enum rg__c_level level;
    enum rg_status as;
    struct rg_error *err;
    const struct rg_cnode *stmt; /* the innermost statement with a line, for the message */
    bool *var, *array;           /* by symbol: declared here */
    bool *counts;                /* by variable: that of a LOOP around */
    int n_declared, cap_declared;
    int *declared; /* in order: variables, and arrays as ~index */
    enum rg_status status;
};

static bool fail(struct verifying *v, const char *what, const char *name)
{
    if (v->status != RG_OK) return false;
    char line[32] = "";
    if (v->stmt) snprintf(line, sizeof line, " (line %d)", v->stmt->line);
    v->status = rg_error_set(v->err, v->as, "tree: %s%s%s%s%s", name ? "'" : "", name ? name : "", name ? "' " : "", what, line);
    return false;
}

/* A condition that depends on data is kept in a local integer. */
static bool is_flag(const struct rg_ctree *t, const struct rg_cnode *c)
{
    return c->kind == RG_C_VAR && c->array < 0 && c->var >= 0 && t->vars[c->var].kind == RG_CVAR_LOCAL &&
           !rg_scalar_is_real(t->vars[c->var].type) && t->vars[c->var].type != RG_STRUCT;
}

static void declare(struct verifying *v, int var, int array)
{
    bool *there = var >= 0 ? &v->var[var] : &v->array[array];
    if (*there) fail(v, "is declared where it stands already", var >= 0 ? v->t->vars[var].name : v->t->arrays[array].name);
    *there = true;
    if (v->n_declared == v->cap_declared) v->declared = rg_xrealloc(v->declared, (size_t)(v->cap_declared = 2 * v->cap_declared + 16) * sizeof *v->declared);
    v->declared[v->n_declared++] = var >= 0 ? var : ~array;
}

static void leave(struct verifying *v, int n_declared)
{
    while (v->n_declared > n_declared) {
        int s = v->declared[--v->n_declared];
        *(s >= 0 ? &v->var[s] : &v->array[~s]) = false;
    }
}

static bool check_names(struct verifying *v, const struct rg_cnode *n)
{
    const struct rg_ctree *t = v->t;
    if (n->kind == RG_C_VAR && n->var >= 0 && t->vars[n->var].kind != RG_CVAR_PARAM && !v->var[n->var])
        return fail(v, "is used where it is not declared", t->vars[n->var].name);
    if ((n->kind == RG_C_INDEX || n->kind == RG_C_VAR) && n->array >= 0) {
        const struct rg_carray *a = &t->arrays[n->array];
        if (a->param < 0 && !a->constant_table && !a->view && !v->array[n->array] && n->array != t->result_array)
            return fail(v, "is used where it is not declared", a->name);
        if (v->level >= RG__C_LOOPS && a->view) return fail(v, "means more than one array", a->name);
    }
    return true;
}

static bool check_write(struct verifying *v, const struct rg_cnode *n)
{
    if (n->kind != RG_C_ASSIGN && n->kind != RG_C_INCDEC && n->op != RG_COP_ADDRESS) return true;
    const struct rg_cnode *to = n->kid[0];
    if (to->kind != RG_C_VAR || to->var < 0) return true;
    const struct rg_cvar *x = &v->t->vars[to->var];
    if (v->counts[to->var]) return fail(v, "is set in its own loop", x->name);
    if (v->level >= RG__C_LOOPS && x->kind == RG_CVAR_PARAM) return fail(v, "is set though a parameter", x->name);
    return true;
}

/* Statements outside OPAQUE. */
static bool check_shape(struct verifying *v, const struct rg_cnode *n)
{
    const struct rg_ctree *t = v->t;
    const char *word = rg__c_shapes[n->kind].word;
    if (rg__c_shapes[n->kind].opaque_only) return fail(v, "stands outside opaque code", word);
    if (n->kind == RG_C_LOOP && !(rg_c_affine(t, n->kid[0]) && rg_c_affine(t, n->kid[1]))) return fail(v, "outside opaque code is not affine", word);
    if (n->kind == RG_C_IF && !rg_c_affine(t, n->kid[0]) && !is_flag(t, n->kid[0])) return fail(v, "outside opaque code is not affine", word);
    if (n->kind == RG_C_STMT && n->kid[0]->kind != RG_C_ASSIGN && n->kid[0]->kind != RG_C_INCDEC && n->kid[0]->kind != RG_C_CALL)
        return fail(v, "does nothing", word);
    return true;
}

static void check(struct verifying *v, const struct rg_cnode *n, bool opaque)
{
    if (v->status != RG_OK) return;
    if (!is_value(n) && n->line > 0) v->stmt = n;
    const char *fault = rg__c_node_fault(v->t, n);
    if (fault) {
        fail(v, fault, NULL);
        return;
    }
    if (!check_names(v, n) || (v->level == RG__C_CANONICAL && !opaque && !check_shape(v, n))) return;
    if (n->kind == RG_C_LOOP && n->n > 3 && !is_flag(v->t, n->kid[3])) {
        fail(v, "what a loop goes on by is no local integer", NULL);
        return;
    }
    if (!check_write(v, n)) return;
    int before = v->n_declared;
    for (int i = 0; i < n->n; i++) {
        if (n->kind == RG_C_LOOP && i == 2) declare(v, n->var, -1), v->counts[n->var] = true;
        if (n->kid[i]) check(v, n->kid[i], opaque || n->kind == RG_C_OPAQUE);
        if (n->kind == RG_C_LOOP && i == 2) leave(v, before), v->counts[n->var] = false;
    }
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_FOR) leave(v, before);
    if (n->kind == RG_C_DECL) declare(v, n->var, n->array);
}

/* The one place of a RETURN outside opaque code. */
static bool check_returns(struct verifying *v, const struct rg_cnode *n, const struct rg_cnode *last)
{
    if (!n || n->kind == RG_C_OPAQUE || is_value(n)) return true;
    if (n->kind == RG_C_RETURN && n != last) return fail(v, "stands in front of the function's end", "return");
    for (int i = 0; i < n->n; i++)
        if (!check_returns(v, n->kid[i], last)) return false;
    return true;
}

const char *rg__c_level_word(enum rg__c_level level)
{
    static const char *const words[] = {"raw", "loops", "canonical"};
    return words[level];
}

enum rg_status rg__c_verify(const struct rg_ctree *t, enum rg__c_level level, enum rg_status as, struct rg_error *err)
{
    struct verifying v = {.t = t, .level = level, .as = as, .err = err, .status = RG_OK};
    const struct rg_cnode *root = t->root;
    if (!root || root->kind != RG_C_BLOCK) return rg_error_set(err, as, "tree: its root must be a block");
    v.var = rg_xcalloc((size_t)t->n_vars + 1, sizeof *v.var);
    v.array = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *v.array);
    v.counts = rg_xcalloc((size_t)t->n_vars + 1, sizeof *v.counts);
    check(&v, root, false);
    if (v.status == RG_OK && level == RG__C_CANONICAL) check_returns(&v, root, root->n ? root->kid[root->n - 1] : NULL);
    free(v.declared);
    free(v.counts);
    free(v.var);
    free(v.array);
    return v.status;
}
