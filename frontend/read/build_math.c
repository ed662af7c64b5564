/* Functions of C's math library and of compilers that the tree has other forms for. */
#include "frontend/read/build.h"
#include <string.h>

bool rg__passes_first(const char *name)
{
    return !strcmp(name, "__builtin_expect") || !strcmp(name, "__builtin_expect_with_probability") ||
           !strcmp(name, "__builtin_assume_aligned");
}

static struct rg_cnode *call(struct rg__build *b, const char *name, struct rg_cnode *x, enum rg_scalar type)
{
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_CALL, 1);
    n->text = name;
    n->kid[0] = x;
    n->type = type;
    return n;
}

/* What a pointer argument points to: a variable's address, or an element. */
static struct rg_cnode *target(struct rg__build *b, CXCursor c)
{
    struct rg_cnode *p = rg__build_expr(b, c);
    if (p->op == RG_COP_ADDRESS) return p->kid[0];
    return p->pointer ? rg__build_subscript(b, p, rg__c_int(b->t, 0), c) : NULL;
}

/* x = frexp(v, &e): e is set in front of the statement, or by a comma where nothing can stand there. */
static struct rg_cnode *in_parts(struct rg__build *b, CXCursor v, CXCursor where, const char *part, const char *rest,
                                 enum rg_scalar rest_type, enum rg_scalar type)
{
    struct rg_cnode *x = rg__c_cast(b->t, rg__build_expr(b, v), type);
    if (!rg__c_pure(b->t, x)) return NULL;
    struct rg_cnode *to = target(b, where);
    if (!to) return NULL;
    struct rg_cnode *set = rg__c_assign(b->t, RG_COP_SET, to, call(b, rest, rg__c_copy(b->t, x), rest_type));
    struct rg_cnode *value = call(b, part, x, type);
    rg__place_node(b, set, v);
    if (b->hoist) {
        rg__kids_add(b->hoist, rg__c_stmt(b->t, set));
        return value;
    }
    struct rg_cnode *both = rg_cnode_new(b->t, RG_C_COMMA, 2);
    both->kid[0] = set;
    both->kid[1] = value;
    both->type = type;
    return both;
}

struct rg_cnode *rg__build_library_value(struct rg__build *b, CXCursor c, const char *name,
                                         const struct rg__children *kids)
{
    static const struct {
        const char *name;
        enum rg_c_op op;
    } compared[] = {
        {"isless", RG_COP_LT}, {"islessequal", RG_COP_LE}, {"isgreater", RG_COP_GT}, {"isgreaterequal", RG_COP_GE}};
    bool builtin = !strncmp(name, "__builtin_", 10);
    const char *bare = builtin ? name + 10 : name;
    int n = kids->n - 1;
    int64_t v;
    for (size_t i = 0; builtin && n == 2 && i < sizeof compared / sizeof *compared; i++) {
        if (strcmp(bare, compared[i].name)) continue;
        struct rg_cnode *x =
            rg__c_binary(b->t, compared[i].op, rg__build_expr(b, kids->items[1]), rg__build_expr(b, kids->items[2]));
        x->type = RG_I32;
        return x;
    }
    if (builtin && n == 2 && !strcmp(bare, "isunordered")) {
        struct rg_cnode *x = call(b, "isnan", rg__build_expr(b, kids->items[1]), RG_I32),
                        *y = call(b, "isnan", rg__build_expr(b, kids->items[2]), RG_I32);
        x = rg__c_binary(b->t, RG_COP_OR, x, y);
        x->type = RG_I32;
        return x;
    }
    if (builtin && !strcmp(bare, "constant_p"))
        return rg__c_int(b->t, n == 1 && rg__eval_int(b->u, kids->items[1], &v));
    if (builtin && n == 6 && !strcmp(bare, "fpclassify")) { /* with the caller's numbers for the classes */
        struct rg_cnode *all = NULL;
        static const int order[] = {2, 4, 5, 3,
                                    1}; /* of glibc's 1, 3, 2, 4, 0: infinite, subnormal, zero, normal; else nan */
        static const int value[] = {1, 3, 2, 4};
        struct rg_cnode *x = rg__build_expr(b, kids->items[6]);
        if (!rg__c_pure(b->t, x)) return NULL;
        all = rg__build_expr(b, kids->items[order[4]]);
        for (int i = 3; i >= 0; i--) {
            struct rg_cnode *choice = rg_cnode_new(b->t, RG_C_COND, 3);
            choice->kid[0] = rg__c_binary(b->t, RG_COP_EQ, call(b, "rg_fpclassify", rg__c_copy(b->t, x), RG_I32),
                                          rg__c_int(b->t, value[i]));
            choice->kid[1] = rg__build_expr(b, kids->items[order[i]]);
            choice->kid[2] = all;
            choice->type = RG_I32;
            all = choice;
        }
        return all;
    }
    bool single = n == 2 && (!strcmp(bare, "frexpf") || !strcmp(bare, "modff"));
    enum rg_scalar type = single ? RG_F32 : RG_F64;
    if (single || (n == 2 && (!strcmp(bare, "frexp") || !strcmp(bare, "modf") || !strcmp(bare, "frexpl") ||
                              !strcmp(bare, "modfl")))) {
        bool power = bare[0] == 'f';
        return in_parts(b, kids->items[1], kids->items[2], power ? "rg_frexp_part" : "rg_modf_part",
                        power    ? "rg_frexp_power"
                        : single ? "truncf"
                                 : "trunc",
                        power ? RG_I32 : type, type);
    }
    return NULL;
}

struct rg_cnode **rg__library_arguments(struct rg__build *b, const char *name, struct rg_cnode **args, int n)
{
    if (!strncmp(name, "__builtin_", 10)) name += 10;
    enum rg_scalar to = !strcmp(name, "abs")     ? RG_I32
                        : !strcmp(name, "labs")  ? RG_LONG
                        : !strcmp(name, "llabs") ? RG_LLONG
                                                 : RG_BOOL;
    if (to == RG_BOOL || n != 1 || args[0]->pointer || !rg__scalar_is_int(args[0]->type)) return args;
    bool fits = rg_scalar_bytes(args[0]->type) < rg_scalar_bytes(to) && to == RG_I32; /* promoted */
    if (!fits) args[0] = rg__c_cast(b->t, args[0], to);
    return args;
}

/* A variable that is its value alone: nothing sets it again, and computing it once more or not at all makes no
 * difference. */
static bool by_value(struct rg__build *b, CXCursor statement)
{
    struct rg__children vars = rg__cursor_children(b->u, statement, &b->p->arena);
    if (b->c->getCursorKind(statement) != CXCursor_DeclStmt) return false;
    for (int i = 0; i < vars.n; i++) {
        struct rg__children kids = rg__cursor_children(b->u, vars.items[i], &b->p->arena);
        enum rg_scalar type;
        uint32_t key = rg__decl_key(b->u, vars.items[i]);
        if (b->c->getCursorKind(vars.items[i]) != CXCursor_VarDecl || !kids.n || rg__is_written(b, key) ||
            !rg__type_scalar(b->u, b->c->getCursorType(vars.items[i]), &type))
            return false;
        struct rg_cnode *value = rg__build_expr(b, kids.items[kids.n - 1]);
        if (value->pointer || value->type == RG_STRUCT || !rg__c_pure(b->t, value)) return false;
        rg__sym_add(b, key, RG__SYM_VALUE)->value = rg__c_cast(b->t, value, type);
    }
    return true;
}

struct rg_cnode *rg__build_statement_value(struct rg__build *b, CXCursor c)
{
    struct rg__children whole = rg__cursor_children(b->u, c, &b->p->arena), kids = {0};
    if (whole.n == 1) kids = rg__cursor_children(b->u, whole.items[0], &b->p->arena);
    for (int i = 0; i + 1 < kids.n; i++) {
        if (b->hoist)
            rg__build_stmt(b, kids.items[i], b->hoist);
        else if (!by_value(b, kids.items[i]))
            return rg__verbatim(
                b, c, "a GNU statement expression that does more than compute a value, where it may not run at all");
    }
    enum CXCursorKind last = kids.n ? b->c->getCursorKind(kids.items[kids.n - 1]) : CXCursor_CompoundStmt;
    bool value = last >= CXCursor_FirstExpr && last <= CXCursor_LastExpr;
    return value ? rg__build_expr(b, kids.items[kids.n - 1])
                 : rg__verbatim(b, c, "a GNU statement expression without a value");
}

/* gcc's tgmath.h: __builtin_tgmath(sqrtf, sqrt, sqrtl, .., x) picks the function by the types of its arguments.
 * libclang takes it for a function that returns int; our types are right again from here on. */
struct rg_cnode *rg__generic_math(struct rg__build *b, CXCursor c, const struct rg__children *kids)
{
    int first = 1;
    const char *names[2] = {NULL, NULL};
    for (; first < kids->n; first++) {
        CXCursor f = rg__strip_parens(b, kids->items[first]);
        if (b->c->getCursorKind(f) != CXCursor_DeclRefExpr ||
            b->c->getCursorKind(b->c->getCursorReferenced(f)) != CXCursor_FunctionDecl)
            break;
        if (first <= 2) names[first - 1] = rg__cursor_name(b->u, f, &b->t->arena);
    }
    int n = kids->n - first;
    if (!names[1] || n < 1) return rg__verbatim(b, c, "a generic function");
    struct rg_cnode *x = rg_cnode_new(b->t, RG_C_CALL, n);
    x->type = RG_F32;
    for (int i = 0; i < n; i++) {
        x->kid[i] = rg__build_expr(b, rg__strip_parens(b, kids->items[first + i])); /* float arguments were promoted */
        if (x->kid[i]->type != RG_F32 && x->kid[i]->type != RG_F16) x->type = RG_F64;
    }
    for (int i = 0; i < n; i++) x->kid[i] = rg__c_cast(b->t, x->kid[i], x->type);
    x->text = names[x->type == RG_F64];
    return x;
}

/* clang's tgmath.h: overloads of one name, __tg_sqrt. The one that was chosen says by its type which function it is. */
const char *rg__overloaded_math(struct rg__build *b, CXCursor c, const char *name)
{
    enum rg_scalar s;
    if (strncmp(name, "__tg_", 5) || !rg__type_scalar(b->u, b->c->getCursorType(c), &s)) return name;
    return rg_arena_printf(&b->t->arena, s == RG_F32 ? "%sf" : "%s", name + 5);
}
