/* Inputs for integer arrays whose elements are mostly compared: cells of an automaton, letters of a text, labels,
 * thresholds; and for those whose bits are taken apart. Where 0 .. 99 would hardly ever be what the code looks for, the
 * values it names are drawn instead. Only where the user says nothing. */
#include "frontend/infer/compared.h"
#include "frontend/infer/infer.h"
#include "ir/access_walk.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = RG_INPUT_ARGS - 1 }; /* values that are drawn, and one that is none of them */

struct rg__seen {   /* of a parameter's elements, or of one member of them */
    int n;          /* comparisons with constants, tests for zero */
    int64_t lo, hi; /* of the constants */
    int n_values;   /* that differ; more than MOST: too many */
    int64_t value[MOST];
    bool ordered;     /* by < and its like */
    bool past, above; /* hi is asked for by < or >=, lo by <= or >: what is between them is so without them */
    bool other;       /* compared with what is no constant */
    bool added, used; /* summed; used in any other way */
    int bits;         /* from a shift right or a mask: so many of the lowest are looked at; 0: neither */
    int with; /* the integer parameter it is compared with by < and its like, and one more; 0 none, -1 several */
    int same; /* the parameter whose elements are to be the same, and one more; 0 none, -1 several */
};

static int member_of(const struct rg__compared *x, int param, const char *path)
{
    for (int k = 0; k < x->n_members; k++)
        if (x->members[k].param == param && !strcmp(x->members[k].path, path)) return x->l->p->n_params + k;
    return -1;
}

int rg__compared_element(const struct rg__compared *x, const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e && e->kind == RG_C_VAR && e->array < 0 && e->var >= 0) return x->held[e->var] >= 0 ? x->held[e->var] : -1;
    const char *path = e && e->kind == RG_C_MEMBER && e->n == 1 ? e->text : NULL;
    if (path) e = e->kid[0];
    if (!e || e->kind != RG_C_INDEX || e->pointer || x->t->arrays[e->array].constant_table) return -1;
    int p = x->depth ? -1 : x->t->arrays[e->array].param; /* a helper's are others */
    if (path) return p < 0 ? -1 : member_of(x, p, path);
    if (p < 0 || x->l->p->params[p].elem == RG_STRUCT) return -1;
    return rg__scalar_is_int(x->l->p->params[p].elem) ? p : -1;
}

bool rg__compared_held(void *arg, struct rg_cnode *n)
{
    struct rg__compared *x = arg;
    int var = -1;
    const struct rg_cnode *value = NULL;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var >= 0 && n->n) var = n->var, value = n->kid[0];
    if (n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var >= 0)
        var = n->kid[0]->var, value = n->kid[1];
    if (n->kind == RG_C_INCDEC && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var >= 0)
        x->held[n->kid[0]->var] = -2;
    if (var < 0) return true;
    const struct rg_cnode *v = rg__c_uncast(value, RG__C_INT_CASTS);
    bool element =
        v && (v->kind == RG_C_INDEX || v->kind == RG_C_MEMBER) && (n->kind == RG_C_DECL || n->op == RG_COP_SET);
    int p = element ? rg__compared_element(x, v) : -1;
    x->held[var] = p < 0 || (x->held[var] != -1 && x->held[var] != p) ? -2 : p;
    return true;
}

static void constant(struct rg__seen *s, int64_t v, enum rg_c_op op)
{
    const bool ordered = op != RG_COP_EQ && op != RG_COP_NE;
    const bool below = op == RG_COP_GE || op == RG_COP_LT;
    if (!s->n || v > s->hi) s->past = false;
    if (!s->n || v < s->lo) s->above = false;
    if (!s->n || v >= s->hi) s->past = s->past || (ordered && below);
    if (!s->n || v <= s->lo) s->above = s->above || (ordered && !below);
    if (!s->n || v < s->lo) s->lo = v;
    if (!s->n || v > s->hi) s->hi = v;
    s->n++;
    s->ordered |= ordered;
    int k = 0;
    while (k < s->n_values && k < MOST && s->value[k] != v) k++;
    if (k < s->n_values) return;
    if (k < MOST) s->value[k] = v;
    s->n_values = k + 1;
}

static void truth(struct rg__compared *x, const struct rg_cnode *e)
{
    int p = rg__compared_element(x, e);
    if (p < 0) return;
    constant(&x->seen[p], 0, RG_COP_EQ);
    constant(&x->seen[p], 1, RG_COP_EQ);
}

static void look(struct rg__compared *x, const struct rg_cnode *n);

static void cases(struct rg__compared *x, const struct rg_cnode *n, int p)
{
    const struct rg_cnode *v = n->kind == RG_C_CASE ? n->kid[0] : NULL;
    if (v) v = rg__c_uncast(v, RG__C_INT_CASTS);
    if (v && v->kind == RG_C_INT) constant(&x->seen[p], v->ivalue, RG_COP_EQ);
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && n->kind != RG_C_SWITCH) cases(x, n->kid[i], p);
}

/* What a function of the file does with elements that it is given by value (`code(text[i])`). false: nobody knows. */
static bool helper(struct rg__compared *x, const struct rg_cnode *call)
{
    enum { DEEPEST = 4 };
    const struct rg__helper_tree *h = rg__helper_tree(&x->l->b, x->t->helpers[call->callee].name);
    if (!h || x->depth == DEEPEST || h->n_params != call->n) return false;
    struct rg__compared in = {.l = x->l, .t = h->t, .depth = x->depth + 1, .seen = x->seen};
    in.members = x->members;
    in.n_members = x->n_members;
    in.held = rg_xcalloc((size_t)h->t->n_vars + 1, sizeof *in.held);
    for (int v = 0; v < h->t->n_vars; v++) in.held[v] = -1;
    for (int i = 0; i < call->n; i++)
        if (h->params[i].var >= 0) in.held[h->params[i].var] = rg__compared_element(x, call->kid[i]);
    rg__c_walk(h->body, rg__compared_held, &in);
    look(&in, h->body);
    free(in.held);
    return true;
}

/* An operand whose use the node around it has explained already; its own subscripts are still looked at. */
static void inside(struct rg__compared *x, const struct rg_cnode *e)
{
    const struct rg_cnode *u = rg__c_uncast(e, RG__C_INT_CASTS);
    if (rg__compared_element(x, u) >= 0) {
        for (int i = 0; i < u->n; i++) look(x, u->kid[i]);
    } else {
        look(x, e);
    }
}

static void pair(struct rg__compared *x, const struct rg_cnode *a, const struct rg_cnode *b, enum rg_c_op op)
{
    const bool ordered = op != RG_COP_EQ && op != RG_COP_NE;
    int p = rg__compared_element(x, a);
    if (p < 0) return;
    const struct rg_cnode *c = rg__c_uncast(b, RG__C_INT_CASTS);
    bool negative = c->op == RG_COP_NEG && c->kid[0]->kind == RG_C_INT;
    if (c->kind == RG_C_INT || negative) {
        constant(&x->seen[p], negative ? -c->kid[0]->ivalue : c->ivalue, op);
        return;
    }
    x->seen[p].other = true;
    int same = ordered ? -1 : rg__compared_element(x, c);
    if (same >= 0 && same != p && same < x->l->p->n_params && p < x->l->p->n_params)
        x->seen[p].same = !x->seen[p].same || x->seen[p].same == same + 1 ? same + 1 : -1;
    int with = -1;
    if (c->kind == RG_C_VAR && c->array < 0 && c->var >= 0 && !x->depth && x->t->vars[c->var].param >= 0 && ordered)
        with = x->t->vars[c->var].param + 1;
    x->seen[p].with = !x->seen[p].with || x->seen[p].with == with ? with : -1;
}

/* `pixel >> 16`, `word & 0xff00`: an element's bits, of which small numbers have the lowest alone. */
static void note_bits(struct rg__compared *x, const struct rg_cnode *n)
{
    enum { FIELD = 8 }; /* bits that a shift is for */
    bool shift = n->op == RG_COP_SHR, mask = n->op == RG_COP_BAND;
    if (n->kind != RG_C_BINARY || !(shift || mask)) return;
    for (int side = 0; side < (mask ? 2 : 1); side++) {
        int p = rg__compared_element(x, n->kid[side]);
        const struct rg_cnode *c = rg__c_uncast(n->kid[1 - side], RG__C_INT_CASTS);
        if (p < 0 || c->kind != RG_C_INT || c->ivalue <= 0 || (shift && c->ivalue >= 64)) continue;
        int bits = shift ? (int)c->ivalue + FIELD : 64 - __builtin_clzll((unsigned long long)c->ivalue);
        if (bits > x->seen[p].bits) x->seen[p].bits = bits;
    }
}

static void look(struct rg__compared *x, const struct rg_cnode *n)
{
    if (!n) return;
    int p = rg__compared_element(x, n);
    if (p >= 0 && n->kind != RG_C_CAST) x->seen[p].used = true;
    note_bits(x, n);
    if (rg_c_relation(n->op)) {
        pair(x, n->kid[0], n->kid[1], n->op);
        pair(x, n->kid[1], n->kid[0], rg_c_converse(n->op));
        inside(x, n->kid[0]);
        inside(x, n->kid[1]);
        return;
    }
    bool logic = rg_c_lazy(n->op);
    bool sum = n->op == RG_COP_ADD && !n->pointer;
    if (logic || sum || n->op == RG_COP_NOT) {
        for (int i = 0; i < n->n; i++) {
            int q = rg__compared_element(x, n->kid[i]);
            if (!sum)
                truth(x, n->kid[i]);
            else if (q >= 0)
                x->seen[q].added = true;
            inside(x, n->kid[i]);
        }
        return;
    }
    if (n->kind == RG_C_ASSIGN) {
        int q = rg__compared_element(x, n->kid[1]), target = rg__compared_element(x, n->kid[0]);
        bool copy = q >= 0 && (n->op == RG_COP_SET || n->op == RG_COP_ADD_SET);
        if (copy && n->op == RG_COP_ADD_SET) x->seen[q].added = true;
        if (target >= 0 && n->op != RG_COP_SET) x->seen[target].used = true;
        if (target >= 0)
            inside(x, n->kid[0]);
        else
            look(x, n->kid[0]->kind == RG_C_VAR ? NULL : n->kid[0]);
        if (copy)
            inside(x, n->kid[1]);
        else
            look(x, n->kid[1]);
        return;
    }
    if (n->kind == RG_C_DECL) {
        for (int i = 0; i < n->n; i++) inside(x, n->kid[i]);
        return;
    }
    if (n->kind == RG_C_SWITCH && n->n == 2 && rg__compared_element(x, n->kid[0]) >= 0) {
        cases(x, n->kid[1], rg__compared_element(x, n->kid[0]));
        inside(x, n->kid[0]);
        look(x, n->kid[1]);
        return;
    }
    if (n->kind == RG_C_CALL && n->callee >= 0 && helper(x, n)) {
        for (int i = 0; i < n->n; i++) inside(x, n->kid[i]);
        return;
    }
    if ((n->kind == RG_C_COND || n->kind == RG_C_IF) && n->n) {
        truth(x, n->kid[0]);
        inside(x, n->kid[0]);
        for (int i = 1; i < n->n; i++) {
            if (n->kind == RG_C_COND)
                inside(x, n->kid[i]); /* a copy, as far as values go */
            else
                look(x, n->kid[i]);
        }
        return;
    }
    for (int i = 0; i < n->n; i++) look(x, n->kid[i]);
}

bool rg__draw_input(struct rg__load *l, struct rg_param *q, const char *text)
{
    struct rg_input in;
    struct rg__directive d = {.name = q->name, .text = text, .file = "", .option = true};
    if (rg__parse_input(&l->p->arena, &d, &in, NULL) != RG_OK) return false;
    q->input = in;
    return true;
}

static void draw(struct rg__load *l, struct rg_param *q, int64_t lo, int64_t hi)
{
    rg__draw_input(l, q, rg_arena_printf(&l->p->arena, "uniform(%lld, %lld)", (long long)lo, (long long)hi));
}

/* The values it looks for, as letters of a text are, and one more: of all between them hardly any would be one. */
static bool draw_values(struct rg__load *l, struct rg_param *q, const struct rg__seen *s)
{
    if (s->ordered || s->other || s->n_values > MOST || s->n_values < 2 || s->hi - s->lo < 3 * s->n_values)
        return false;
    struct rg_buf text = RG_BUF_INIT;
    for (int k = 0; k < s->n_values; k++) rg_buf_printf(&text, "%s%lld", k ? ", " : "choice(", (long long)s->value[k]);
    rg_buf_printf(&text, ", %lld)", (long long)s->hi + 1);
    bool ok = rg__draw_input(l, q, text.data);
    rg_buf_release(&text);
    return ok;
}

static void alphabet(struct rg__load *l, struct rg_param *q, const struct rg__seen *s)
{
    const char *end = strchr(q->input.text, ',');
    rg__draw_input(l, q,
                   rg_arena_printf(&l->p->arena, "%.*s, %lld, %lld)", (int)(end - q->input.text), q->input.text,
                                   (long long)(s->lo > 1 ? s->lo - 1 : 1), (long long)(s->hi + 1)));
}

/* A text in which something is looked for has its letters. */
static bool same_letters(struct rg__load *l, struct rg_param *q, const struct rg__seen *s)
{
    const struct rg_param *of = s->same > 0 ? &l->p->params[s->same - 1] : NULL;
    if (!of || of->input.kind != RG_INPUT_STRING || !of->input.int_args[1] || !of->input.int_args[2]) return false;
    const struct rg_expr *lo = of->input.int_args[1], *hi = of->input.int_args[2];
    if (lo->kind != RG_EXPR_INT || hi->kind != RG_EXPR_INT) return false;
    draw(l, q, lo->value, hi->value);
    return true;
}

static int64_t largest(enum rg_scalar type)
{
    int bits = 8 * (int)rg_scalar_bytes(type) - rg_scalar_is_signed(type);
    return bits >= 63 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

/* Words of several fields; thresholds above 99; a threshold that is a parameter. */
static void draw_wide(struct rg__load *l, struct rg_param *q, const struct rg__seen *s)
{
    const int64_t param = q - l->p->params;
    const bool checked = param < 64 && l->checked >> param & 1;
    enum { USUAL = 99, USUAL_BITS = 7, MOST_BITS = 62 };
    int64_t most = largest(q->elem);
    const int64_t least = s->lo < s->hi ? s->lo + s->above : s->hi > 0 ? 0 : s->hi;
    if (checked && s->ordered && !s->other && s->hi - s->past >= least) {
        draw(l, q, least, s->hi - s->past);
    } else if (s->bits > USUAL_BITS) {
        int64_t all = s->bits > MOST_BITS ? most : ((int64_t)1 << s->bits) - 1;
        draw(l, q, 0, all < most ? all : most);
    } else if (s->ordered && (s->hi > USUAL || s->lo < 0)) {
        int64_t hi = s->hi > most / 2 ? most : 2 * s->hi, lo = !rg_scalar_is_signed(q->elem) || s->lo >= 0 ? 0
                                                               : s->lo < -most / 2                         ? -most
                                                                                                           : 2 * s->lo;
        draw(l, q, lo, hi > USUAL ? hi : USUAL);
    } else if (s->with > 0 && (!s->n || (checked && s->hi == 0 && s->lo == 0))) {
        const struct rg_param *with = &l->p->params[s->with - 1];
        if (with->kind == RG_PARAM_SCALAR && rg__scalar_is_int(with->elem))
            rg__draw_input(
                l, q,
                rg_arena_printf(&l->p->arena, checked ? "uniform(0, max(0, %s - 1))" : "uniform(0, 2*%s)", with->name));
    }
}

/* What a merge expects. */
static void draw_in_order(struct rg__load *l, struct rg_param *q)
{
    int bytes = (int)rg_scalar_bytes(q->elem);
    const char *text = !rg__scalar_is_int(q->elem) ? "sorted(-100, 100)"
                       : bytes == 1                ? "sorted(0, 120)"
                       : bytes == 2                ? "sorted(0, 30000)"
                                                   : "sorted(0, 1000000)";
    rg__draw_input(l, q, text);
}

/* Does the function ask of which class a character is (isspace, tolower)? */
static bool asks_classes(const struct rg_cnode *n)
{
    if (!n) return false;
    bool asks = n->kind == RG_C_CALL && n->text &&
                (!strncmp(n->text, "rg_ctype", 8) || !strcmp(n->text, "rg_tolower") || !strcmp(n->text, "rg_toupper"));
    for (int i = 0; i < n->n && !asks; i++) asks = asks_classes(n->kid[i]);
    return asks;
}

/* A text of all printable characters, blanks among them, in place of few letters. */
static void printable(struct rg__load *l, struct rg_param *q)
{
    const int length = (int)(strstr(q->input.text, ", 97, 100)") - q->input.text);
    rg__draw_input(l, q, rg_arena_printf(&l->p->arena, "%.*s, 32, 126)", length, q->input.text));
}

/* ---- what is checked on the way ---- */

/* `elem >= bound` among what is asked. */
static void note_checks(struct rg__compared *x, const struct rg_cnode *c, uint64_t *checked)
{
    if (c->op == RG_COP_OR) {
        note_checks(x, c->kid[0], checked);
        note_checks(x, c->kid[1], checked);
        return;
    }
    const bool left = c->op == RG_COP_GE || c->op == RG_COP_GT, right = c->op == RG_COP_LE || c->op == RG_COP_LT;
    if (c->kind != RG_C_BINARY || (!left && !right)) return;
    const int p = rg__compared_element(x, c->kid[right]);
    if (p >= 0 && p < 64) *checked |= (uint64_t)1 << p;
}

/* More than counting on. */
static bool assigns(const struct rg_cnode *n)
{
    bool is = n && (n->kind == RG_C_ASSIGN || (n->kind == RG_C_INCDEC && n->kid[0]->kind == RG_C_INDEX));
    for (int i = 0; n && i < n->n && !is; i++) is = assigns(n->kid[i]);
    return is;
}

/* A loop that returns where an element is beyond a bound and else computes goes by elements within it; one that does
 * nothing else looks for such an element. */
static bool note_checking(void *arg, struct rg_cnode *n)
{
    struct rg__compared *x = ((void **)arg)[0];
    uint64_t *checked = ((void **)arg)[1];
    const struct rg_cnode *body = n->kind == RG_C_FOR ? n->kid[3] : n->kind == RG_C_WHILE ? n->kid[1] : NULL;
    for (int k = 0; body && body->kind == RG_C_BLOCK && k + 1 < body->n; k++) {
        const struct rg_cnode *s = body->kid[k];
        bool works = false;
        if (s->kind != RG_C_IF || s->n > 2 || !rg__mentions_kind(s->kid[1], RG_C_RETURN)) continue;
        for (int later = k + 1; later < body->n && !works; later++) works = assigns(body->kid[later]);
        if (works) note_checks(x, s->kid[0], checked);
    }
    return true;
}

void rg__checked_inputs(struct rg__load *l)
{
    struct rg__compared x = {.l = l, .t = l->t, .held = rg_xcalloc((size_t)l->t->n_vars + 1, sizeof *x.held)};
    for (int v = 0; v < l->t->n_vars; v++) x.held[v] = l->t->vars[v].kind == RG_CVAR_PARAM ? -2 : -1;
    rg__c_walk(l->t->root, rg__compared_held, &x);
    rg__c_walk(l->t->root, note_checking, (void *[]){&x, &l->checked});
    free(x.held);
}

/* Those of structures in arrays that are read; malloc'd. */
static struct rg__compared_member *integer_members(const struct rg_problem *p, int *n)
{
    struct rg__compared_member *m = NULL;
    int cap = 0;
    *n = 0;
    for (int i = 0; i < p->n_params; i++) {
        const struct rg_param *q = &p->params[i];
        const bool read = q->kind == RG_PARAM_ARRAY && q->role != RG_ROLE_OUT && q->elem == RG_STRUCT;
        const struct rg_struct *s = read && q->struct_index >= 0 ? &p->structs[q->struct_index] : NULL;
        for (int f = 0; s && f < s->n_fields; f++) {
            if (strpbrk(s->fields[f].path, ".[") || !rg__scalar_is_int(s->fields[f].type)) continue;
            RG_GROW(m, *n, cap);
            m[(*n)++] = (struct rg__compared_member){i, s->fields[f].path};
        }
    }
    return m;
}

/* A kind that is only asked for (`switch (shape[i].kind)`) is one of those there are. */
static void draw_member(struct rg__load *l, const struct rg__compared_member *m, const struct rg__seen *s)
{
    struct rg_param *q = &l->p->params[m->param], drawn = *q; /* in the same words */
    if (q->input.kind != RG_INPUT_DEFAULT || s->used || s->added || !s->n || s->other || s->ordered) return;
    for (int i = 0; i < q->n_members; i++)
        if (!strcmp(q->members[i].path, m->path)) return;
    draw(l, &drawn, s->lo == s->hi && s->lo > 0 ? s->lo - 1 : s->lo, s->lo == s->hi && s->lo <= 0 ? s->hi + 1 : s->hi);
    *rg__member_input(l->p, q, m->path) = drawn.input;
}

void rg__compared_inputs(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    const struct rg_ctree *t = l->t;
    int n_members;
    struct rg__compared_member *members = integer_members(p, &n_members);
    struct rg__compared x = {.l = l,
                             .t = t,
                             .members = members,
                             .n_members = n_members,
                             .held = rg_xcalloc((size_t)t->n_vars + 1, sizeof *x.held),
                             .seen = rg_xcalloc((size_t)(p->n_params + n_members) + 1, sizeof *x.seen)};
    int texts = 0; /* of several one is perhaps looked for in another: few letters make matches */
    for (int i = 0; i < p->n_params; i++)
        texts +=
            p->params[i].kind == RG_PARAM_ARRAY && p->params[i].elem_bytes == 1 && p->params[i].role != RG_ROLE_OUT;
    const bool classes = texts == 1 && asks_classes(t->root);
    for (int v = 0; v < t->n_vars; v++) x.held[v] = t->vars[v].kind == RG_CVAR_PARAM ? -2 : -1;
    rg__c_walk(t->root, rg__compared_held, &x);
    look(&x, t->root);
    for (int i = 0; i < p->n_params; i++) { /* first, as others go by them */
        struct rg_param *q = &p->params[i];
        const struct rg__seen *s = &x.seen[i];
        if (q->kind != RG_PARAM_ARRAY || q->role == RG_ROLE_OUT || q->input.kind != RG_INPUT_STRING ||
            !q->extent_inferred || !strstr(q->input.text, ", 97, 100)"))
            continue;
        if (classes)
            printable(l, q);
        else if (s->n && s->lo >= 1 && s->hi < 127)
            alphabet(l, q, s); /* the letters it looks for, and one more on each side */
    }
    for (int i = 0; i < p->n_params; i++) {
        struct rg_param *q = &p->params[i];
        const struct rg__seen *s = &x.seen[i];
        bool byte = q->elem == RG_I8 || q->elem == RG_U8 || q->elem == RG_CHAR;
        if (q->kind != RG_PARAM_ARRAY || q->role == RG_ROLE_OUT || q->elem == RG_BOOL) continue;
        if (q->input.kind != RG_INPUT_DEFAULT) continue;
        if (i < 64 && l->in_order >> i & 1) {
            draw_in_order(l, q);
            continue;
        }
        bool only = !s->used && (byte || !s->added); /* nothing but comparisons, and counting bytes that say yes */
        if ((only || byte) && s->lo >= 1 && s->hi < 127 && draw_values(l, q, s)) continue;
        if (only && s->n && !s->other && !s->ordered)
            draw(l, q, s->lo == s->hi && s->lo > 0 ? s->lo - 1 : s->lo,
                 s->lo == s->hi && s->lo <= 0 ? s->hi + 1 : s->hi);
        else if (byte && s->n && s->hi > 99 && s->lo >= 0 && q->elem == RG_U8 && s->lo == s->hi)
            draw(l, q, 0, 255); /* a threshold that 0 .. 99 would never reach */
        else if (byte && s->n && s->lo >= 1 && s->hi < 127 && s->hi - s->lo >= 9)
            draw(l, q, s->lo - 1, s->hi + 1); /* letters and digits */
        else if (byte && only && s->other && !s->ordered && !same_letters(l, q, s))
            draw(l, q, 0, 3); /* compared with each other: an alphabet that has matches */
        else if (!byte)
            draw_wide(l, q, s);
    }
    for (int k = 0; k < x.n_members; k++) draw_member(l, &members[k], &x.seen[p->n_params + k]);
    free(members);
    free(x.held);
    free(x.seen);
}
