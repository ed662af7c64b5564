/* Kernel IR: words, visitor, rewriter, equality, and small questions. */
#include "ir/ctree_util.h"
#include "poly/kir/kir.h"
#include <stdlib.h>
#include <string.h>

bool rg__kir_is_expression(enum kir_kind kind)
{
    return kind < KIR_SEQ;
}

const char *rg__kir_kind_word(enum kir_kind kind)
{
    static const char *const words[] = {
        [KIR_INT] = "number",        [KIR_REAL] = "number",     [KIR_NAME] = "name",
        [KIR_ELEMENT] = "element",   [KIR_UNARY] = "operation", [KIR_BINARY] = "operation",
        [KIR_SELECT] = "selection",  [KIR_MIN] = "minimum",     [KIR_MAX] = "maximum",
        [KIR_CAST] = "conversion",   [KIR_CALL] = "call",       [KIR_ALIGNED] = "alignment",
        [KIR_SHUFFLE] = "shuffle",   [KIR_EXTENT] = "extent",   [KIR_QUOTED] = "expression",
        [KIR_SEQ] = "sequence",      [KIR_FOR] = "loop",        [KIR_WHILE] = "while loop",
        [KIR_IF] = "condition",      [KIR_LET] = "value",       [KIR_VAR] = "declaration",
        [KIR_ASSIGN] = "assignment", [KIR_STORE] = "store",     [KIR_COPY] = "copy",
        [KIR_COMMIT] = "commit",     [KIR_WAIT] = "wait",       [KIR_BARRIER] = "barrier",
        [KIR_FENCE] = "fence",       [KIR_ATOMIC] = "atomic",   [KIR_MATRIX] = "matrix operation",
        [KIR_LEAVE] = "jump",        [KIR_PHASE] = "phase",     [KIR_SORT] = "sort",
        [KIR_OPAQUE] = "opaque code"};
    return words[kind];
}

const char *rg__kir_loop_word(enum kir_loop loop)
{
    static const char *const words[] = {"serial",    "unrolled", "grid.x",  "grid.y",  "grid.z",
                                        "cluster.x", "block.x",  "block.y", "block.z", "lane"};
    return words[loop];
}

const char *rg__kir_space_word(enum kir_space space)
{
    static const char *const words[] = {"global", "shared", "register", "local", "table", "fragment"};
    return words[space];
}

const char *rg__kir_scope_word(enum kir_scope scope)
{
    static const char *const words[] = {"thread", "lanes", "warp", "block", "cluster", "grid"};
    return words[scope];
}

const char *rg__kir_type_word(const struct kir_symbol *s)
{
    return s->type == RG_STRUCT ? s->c_type : rg_scalar_cuda(s->type);
}

bool rg__kir_is_thread_loop(enum kir_loop loop)
{
    return loop > KIR_UNROLLED;
}

void rg__kir_walk(const struct kir_node *n, bool (*fn)(void *arg, const struct kir_node *n), void *arg)
{
    if (!n || !fn(arg, n)) return;
    for (int i = 0; i < n->n; i++) rg__kir_walk(n->kid[i], fn, arg);
}

struct kir_node *rg__kir_copy_node(struct kir_kernel *k, const struct kir_node *n)
{
    struct kir_node *x = rg__kir_node(k, n->kind, n->n), **kids = x->kid;
    *x = *n;
    x->kid = kids;
    for (int i = 0; i < n->n; i++) x->kid[i] = n->kid[i];
    return x;
}

struct kir_node *rg__kir_rewrite(struct kir_kernel *k, struct kir_node *n, kir_rewrite_fn *fn, void *arg)
{
    struct kir_node *x = n;
    int kept = 0;
    if (!n) return NULL;
    for (int i = 0; i < n->n; i++) {
        struct kir_node *kid = rg__kir_rewrite(k, n->kid[i], fn, arg);
        if (!kid && n->kid[i] && n->kind != KIR_SEQ && !(n->kind == KIR_IF && i == 2))
            kid = rg__kir_seq(k); /* a body stays one */
        bool gone = !kid && n->kind == KIR_SEQ;
        if (x == n && (kid != n->kid[i] || gone)) x = rg__kir_copy_node(k, n);
        if (!gone && x != n) x->kid[kept] = kid;
        kept += !gone;
    }
    x->n = kept;
    return fn(arg, k, x);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* Which of the union's members it has, as a number. */
static int variant(const struct kir_node *n)
{
    return n->kind == KIR_FOR       ? (int)n->loop
           : n->kind == KIR_EXTENT  ? (int)n->loop
           : n->kind == KIR_SHUFFLE ? (int)n->how
           : n->kind == KIR_ATOMIC  ? (int)n->atomic
           : n->kind == KIR_MATRIX  ? (int)n->matrix
           : n->kind == KIR_SORT    ? (int)n->sort
           : n->kind == KIR_LEAVE   ? (int)n->leave
                                    : 0;
}

bool rg__kir_equal(const struct kir_node *a, const struct kir_node *b)
{
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind || a->type != b->type || a->op != b->op || variant(a) != variant(b) ||
        a->scope != b->scope || a->symbol != b->symbol || a->width != b->width || a->async != b->async ||
        a->peer != b->peer || a->helper != b->helper || a->ivalue != b->ivalue || a->tree != b->tree || a->n != b->n ||
        memcmp(&a->rvalue, &b->rvalue, sizeof a->rvalue) != 0)
        return false;
    if (a->kind == KIR_CALL && !same_text(a->text, b->text)) return false;
    for (int i = 0; i < a->n; i++)
        if (!rg__kir_equal(a->kid[i], b->kid[i])) return false;
    return true;
}

static uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

uint64_t rg__kir_hash(const struct kir_node *n)
{
    uint64_t h = UINT64_C(0x243f6a8885a308d3), bits;
    if (!n) return h;
    memcpy(&bits, &n->rvalue, sizeof bits);
    const uint64_t parts[] = {(uint64_t)n->kind,  (uint64_t)n->type,   (uint64_t)n->op,     (uint64_t)variant(n),
                              (uint64_t)n->scope, (uint64_t)n->symbol, (uint64_t)n->ivalue, bits,
                              (uint64_t)n->width, (uint64_t)n->n};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) h = mixed(h, parts[i]);
    for (const char *c = n->kind == KIR_CALL ? n->text : NULL; c && *c; c++) h = mixed(h, (unsigned char)*c);
    for (int i = 0; i < n->n; i++) h = mixed(h, rg__kir_hash(n->kid[i]));
    return h;
}

bool rg__kir_mentions(const struct kir_node *n, int symbol)
{
    if (!n) return false;
    if (n->symbol == symbol && n->kind != KIR_FOR && n->kind != KIR_LET && n->kind != KIR_VAR) return true;
    if (n->kind == KIR_OPAQUE) /* whatever the user's code means by its names */
        return true;
    for (int i = 0; i < n->n; i++)
        if (rg__kir_mentions(n->kid[i], symbol)) return true;
    return false;
}

bool rg__kir_left(const struct kir_node *n, bool inner, void (*by)(void *arg, const struct kir_node *value), void *arg)
{
    bool any = false, loop = n && (n->kind == KIR_WHILE || (n->kind == KIR_FOR && !rg__kir_is_thread_loop(n->loop)));
    if (!n || rg__kir_is_expression(n->kind)) return false;
    if (n->kind == KIR_LEAVE) return n->leave == KIR_RETURN || !inner;
    int values = n->kind == KIR_FOR ? 3 : n->kind == KIR_WHILE || n->kind == KIR_IF ? 1 : 0;
    for (int i = values; i < n->n; i++) any = rg__kir_left(n->kid[i], inner || loop, by, arg) || any;
    for (int i = 0; i < values && any; i++) by(arg, n->kid[i]);
    if (loop && any) rg__kir_left(n->kid[values], false, by, arg);
    return any;
}

int rg__kir_sort_operands(enum kir_sort what)
{
    return what == KIR_SORT_OWN ? 2 : what == KIR_SORT_TILE ? 3 : 5;
}

bool rg__kir_quotes(const struct kir_node *n)
{
    return n->kind == KIR_OPAQUE || n->kind == KIR_SORT;
}

bool rg__kir_has_opaque(const struct kir_node *n)
{
    if (!n || n->kind == KIR_OPAQUE) return n != NULL;
    for (int i = 0; i < n->n; i++)
        if (rg__kir_has_opaque(n->kid[i])) return true;
    return false;
}

int rg__kir_buffer_at(const struct kir_node *place)
{
    if (place->kind != KIR_QUOTED) return place->symbol;
    const struct rg_cnode *base = place->tree;
    while (base->kind == RG_C_MEMBER && base->n) base = base->kid[0];
    for (int i = 0; i < place->n; i++)
        if (place->quoted[i] == base && place->kid[i]->kind == KIR_ELEMENT) return place->kid[i]->symbol;
    return -1;
}

struct replacing {
    int symbol;
    struct kir_node *by;
};

static struct kir_node *replace_one(void *arg, struct kir_kernel *k, struct kir_node *n)
{
    struct replacing *r = arg;
    (void)k;
    return n->kind == KIR_NAME && n->symbol == r->symbol ? r->by : n;
}

struct kir_node *rg__kir_replace(struct kir_kernel *k, struct kir_node *n, int symbol, struct kir_node *by)
{
    struct replacing r = {symbol, by};
    return rg__kir_simplify(k, rg__kir_rewrite(k, n, replace_one, &r));
}

bool rg__kir_number(const struct kir_kernel *k, const struct kir_node *n, int64_t *v)
{
    int64_t a, b;
    if (!n) return false;
    switch (n->kind) {
    case KIR_INT:
        *v = n->ivalue;
        return true;
    case KIR_NAME:
        *v = k->symbols[n->symbol].value;
        return k->symbols[n->symbol].kind == KIR_CONSTANT;
    case KIR_BINARY:
        if (!rg__kir_number(k, n->kid[0], &a) || !rg__kir_number(k, n->kid[1], &b)) return false;
        switch (n->op) {
        case RG_COP_ADD:
            return !__builtin_add_overflow(a, b, v);
        case RG_COP_SUB:
            return !__builtin_sub_overflow(a, b, v);
        case RG_COP_MUL:
            return !__builtin_mul_overflow(a, b, v);
        case RG_COP_DIV:
            *v = b > 0 ? a / b : 0;
            return b > 0;
        case RG_COP_REM:
            *v = b > 0 ? a % b : 0;
            return b > 0;
        default:
            return false;
        }
    case KIR_CAST:
        return rg__kir_number(k, n->kid[0], v) && rg__kir_holds(n->type, *v);
    case KIR_MIN:
    case KIR_MAX:
        if (!rg__kir_number(k, n->kid[0], &a) || !rg__kir_number(k, n->kid[1], &b)) return false;
        *v = (n->kind == KIR_MIN ? a < b : a > b) ? a : b;
        return true;
    default:
        return false;
    }
}

const struct kir_node *rg__kir_loop_of(const struct kir_kernel *k, enum kir_loop loop)
{
    for (const struct kir_node *n = k->body; n;) {
        if (n->kind == KIR_FOR && rg__kir_is_thread_loop(n->loop)) {
            if (n->loop == loop) return n;
            n = n->kid[3];
        } else if (n->kind == KIR_SEQ) { /* names may stand in front of a thread loop */
            const struct kir_node *inner = NULL;
            for (int i = 0; i < n->n; i++)
                if (n->kid[i]->kind == KIR_FOR && rg__kir_is_thread_loop(n->kid[i]->loop)) inner = n->kid[i];
            n = inner;
        } else {
            n = NULL;
        }
    }
    return NULL;
}

/* ---- what it names ---- */

struct naming {
    const struct kir_kernel *k;
    bool *used;
};

static void use(const struct naming *u, const struct kir_node *n);

static bool use_one(void *arg, const struct kir_node *n)
{
    const struct naming *u = arg;
    if (n->kind == KIR_FOR && n->loop >= KIR_GRID_X && n->loop <= KIR_GRID_Z) { /* its extent is the launch's */
        use(u, n->kid[3]);
        return false;
    }
    if (n->symbol >= 0 && !u->used[n->symbol]) {
        const struct kir_symbol *s = &u->k->symbols[n->symbol];
        u->used[n->symbol] = true;
        for (int d = s->space == KIR_GLOBAL ? 1 : 0; s->kind == KIR_BUFFER && d < s->n_dims; d++) use(u, s->dims[d]);
        use(u, s->apart);
    }
    for (int a = 0; rg__kir_quotes(n) && a < n->names->t->n_arrays; a++)
        if (n->names->buffer[a] >= 0 && rg__c_mentions_array(n->tree, a))
            use(u, rg__kir_element((struct kir_kernel *)u->k, n->names->buffer[a], 0, NULL));
    for (int v = 0; rg__kir_quotes(n) && v < n->names->t->n_vars; v++)
        if (n->names->var[v] && rg__c_mentions_var(n->tree, v)) use(u, n->names->var[v]);
    return true;
}

static void use(const struct naming *u, const struct kir_node *n)
{
    rg__kir_walk(n, use_one, (void *)u);
}

bool *rg__kir_used(const struct kir_kernel *k)
{
    struct naming u = {k, rg_xcalloc((size_t)k->n_symbols + 1, sizeof(bool))};
    use(&u, k->body);
    return u.used;
}

static bool is_argument(const struct kir_symbol *s)
{
    return s->kind == KIR_PARAM || (s->kind == KIR_BUFFER && s->space == KIR_GLOBAL && !s->inside);
}

int rg__kir_arguments(const struct kir_kernel *k, int **symbols)
{
    bool *used = rg__kir_used(k);
    int n = 0, *out = rg_xcalloc((size_t)k->n_symbols + 1, sizeof *out);
    for (int i = 0; i < k->n_symbols; i++) {
        int at = n, place = k->symbols[i].place;
        if (!used[i] || !is_argument(&k->symbols[i])) continue;
        for (; place && at > 0; at--) { /* in front of those that come later, or have none */
            int before = k->symbols[out[at - 1]].place;
            if (before && before <= place) break;
            out[at] = out[at - 1];
        }
        out[at] = i;
        n++;
    }
    free(used);
    *symbols = out;
    return n;
}
