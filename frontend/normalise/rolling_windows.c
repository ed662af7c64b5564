/* Rematerialisation of what a loop shifts along. A code of the last few letters of a text,
 *     for (i..) { if (bad(x[i])) { word = 0; len = 0; } else { word = (word << 2 | x[i]) & 0xffff; len++; if (len >= 8)
 * .. } } forgets in 8 iterations what it was: each iteration makes it anew of the 8 in front of it, for (i..) { own =
 * word; own_len = len; for (k = max(0, i - 8); k < i; k++) .. the updates of k ..; the body, with own .. } and ties no
 * iterations together. A counter beside it that is set back or steps up in every iteration is at least as great as the
 * window is long where nothing has set it back there: enough where it is compared with less alone. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/search_loops.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ROLLED = 8, MOST_STEPS = 64, MOST_NODES = 400 };

struct rolled {
    int var, own;
    int64_t steps; /* iterations after which it is what they made of it; a counter's: more than it is compared with */
};

struct windows {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg_cnode *loop, *body;
    int n;
    struct rolled at[MOST_ROLLED];
    bool *needed; /* [var] declared in the body, and read by what makes the rolled ones */
    bool *moved;  /* [var] written in the body and not declared there */
};

static bool is_scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static bool is_var(const struct rg_cnode *e, int var)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    return is_scalar(e) && e->var == var;
}

/* Numbers put together by operators. */
static bool number(const struct rg_cnode *e, int64_t *v)
{
    int64_t a, b;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind == RG_C_INT) {
        *v = e->ivalue;
        return true;
    }
    if (e->kind != RG_C_BINARY || !number(e->kid[0], &a) || !number(e->kid[1], &b)) return false;
    switch (e->op) {
    case RG_COP_ADD:
        return !__builtin_add_overflow(a, b, v);
    case RG_COP_SUB:
        return !__builtin_sub_overflow(a, b, v);
    case RG_COP_MUL:
        return !__builtin_mul_overflow(a, b, v);
    case RG_COP_SHL:
        if (a < 0 || b < 0 || b > 40 || a > INT64_C(1) << 20) return false;
        *v = a << b;
        return true;
    default:
        return false;
    }
}

static bool mentions_moved(const struct windows *w, const struct rg_cnode *n)
{
    if (is_scalar(n) && w->moved[n->var]) return true;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && mentions_moved(w, n->kid[i])) return true;
    return false;
}

static int64_t bits_of(enum rg_scalar type)
{
    return 8 * (int64_t)rg_scalar_bytes(type);
}

/* v << s and v * 2^s, or v >> s: s, and which. */
static bool shifted(const struct rg_cnode *e, int var, int64_t *s, bool *left)
{
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    if (e->kind != RG_C_BINARY || !is_var(e->kid[0], var) || !number(e->kid[1], s)) return false;
    *left = e->op != RG_COP_SHR;
    if (e->op == RG_COP_MUL && *s > 1 && !(*s & (*s - 1))) {
        *s = __builtin_ctzll((unsigned long long)*s);
        return true;
    }
    return (e->op == RG_COP_SHL || e->op == RG_COP_SHR) && *s >= 1 && *s < 64;
}

/* Conversions on the way keep the low bits of what they convert, as wide as it or wider. */
static bool narrows(const struct rg_cnode *e, int64_t bits)
{
    for (; e->kind == RG_C_CAST; e = e->kid[0])
        if (!rg__scalar_is_int(e->type) || bits_of(e->type) < bits) return true;
    return false;
}

/* v = ((v << s) op e) & mask: after how many times nothing is left of what v was; 0: it is no such update. */
static int64_t roll_steps(const struct windows *w, const struct rg_cnode *e, int var, bool *left)
{
    const enum rg_scalar type = w->t->vars[var].type;
    int64_t bits = bits_of(type), mask, s;
    bool masked = false;
    if (narrows(e, bits)) return 0;
    e = rg__c_uncast(e, RG__C_INT_CASTS);
    for (int side = 0; side < 2 && e->kind == RG_C_BINARY && e->op == RG_COP_BAND; side++)
        if (number(e->kid[side], &mask) && mask > 0 && !(mask & (mask + 1))) {
            int64_t kept = __builtin_popcountll((unsigned long long)mask);
            if (kept > bits) return 0;
            masked = true;
            bits = kept;
            if (narrows(e->kid[1 - side], bits)) return 0;
            e = rg__c_uncast(e->kid[1 - side], RG__C_INT_CASTS);
            break;
        }
    if (e->kind != RG_C_BINARY) return 0;
    for (int side = 0; side < 2; side++) {
        if (mentions_moved(w, e->kid[1 - side]) || !shifted(e->kid[side], var, &s, left)) continue;
        if (!rg__scalar_is_int(e->kid[1 - side]->type) || narrows(e->kid[side], bits)) return 0;
        bool bitwise = e->op == RG_COP_BOR || e->op == RG_COP_XOR;
        if (*left) {
            if ((!bitwise && e->op != RG_COP_ADD) || (!masked && rg_scalar_is_signed(type))) return 0;
        } else if (!bitwise || rg_scalar_is_signed(type) || rg_scalar_is_signed(e->type)) {
            return 0;
        } else {
            bits = bits_of(type); /* a mask keeps away what comes in, not what is on its way out */
        }
        return (bits + s - 1) / s;
    }
    return 0;
}

enum { SURE_ROLL = 1, SURE_COUNT = 2 };

struct found {
    bool ok;       /* all that sets it is an update of a form */
    unsigned sure; /* what happens in every iteration */
    bool left, right, counts, adds, reset_elsewhere;
    int64_t steps;
};

static void rolls(struct found *f, bool left, int64_t steps)
{
    f->left = f->left || left;
    f->right = f->right || !left;
    f->sure = SURE_ROLL;
    f->steps = steps > f->steps ? steps : f->steps;
}

static void counts_up(struct found *f, bool is_number, int64_t by)
{
    f->counts = f->counts || (is_number && by > 0);
    f->adds = f->adds || !is_number || !by;
    f->sure = is_number && by > 0 ? SURE_COUNT : 0;
}

/* v = e, one way under one condition and another one otherwise. */
static void given(const struct windows *w, const struct rg_cnode *e, int var, struct found *f)
{
    int64_t c, steps;
    bool left;
    if ((steps = roll_steps(w, e, var, &left))) {
        rolls(f, left, steps);
        return;
    }
    const struct rg_cnode *x = rg__c_uncast(e, RG__C_INT_CASTS);
    f->sure = 0;
    if (!mentions_moved(w, e)) {
        f->ok = rg__scalar_is_int(e->type);
        f->sure = SURE_ROLL | SURE_COUNT;
        f->reset_elsewhere = f->reset_elsewhere || !number(e, &c) || c < 0;
    } else if (narrows(e, bits_of(w->t->vars[var].type))) {
        f->ok = false;
    } else if (x->kind == RG_C_COND && !mentions_moved(w, x->kid[0])) {
        given(w, x->kid[1], var, f);
        unsigned first = f->sure;
        if (f->ok) given(w, x->kid[2], var, f);
        f->sure &= first;
    } else if (x->kind == RG_C_BINARY && x->op == RG_COP_ADD && is_var(x->kid[0], var) && number(x->kid[1], &c) &&
               c >= 0 && c < 1 << 20) {
        counts_up(f, true, c);
    } else if (!is_var(x, var)) {
        f->ok = false;
    }
}

/* v = e; v <<= 2; v |= e; v += 1; v++; alone. */
static void update(const struct windows *w, const struct rg_cnode *a, int var, struct found *f)
{
    int64_t c, bits = bits_of(w->t->vars[var].type);
    bool sign = rg_scalar_is_signed(w->t->vars[var].type);
    if (a->kind == RG_C_INCDEC) {
        f->counts = true;
        f->sure = SURE_COUNT;
        f->ok = rg_c_increments(a->op);
        return;
    }
    const struct rg_cnode *e = a->kid[1];
    if (a->op == RG_COP_SET) {
        given(w, e, var, f);
        return;
    }
    f->ok = !mentions_moved(w, e) && rg__scalar_is_int(e->type);
    bool is_number = number(e, &c) && c >= 0 && c < 1 << 20;
    switch (a->op) {
    case RG_COP_ADD_SET:
        counts_up(f, is_number, c);
        break;
    case RG_COP_SHL_SET:
    case RG_COP_SHR_SET:
        if (is_number && c > 0 && c < bits && !sign)
            rolls(f, a->op == RG_COP_SHL_SET, (bits + c - 1) / c);
        else
            f->ok = false;
        break;
    case RG_COP_SUB_SET:
        f->adds = true;
        break;
    case RG_COP_BOR_SET:
    case RG_COP_XOR_SET:
    case RG_COP_BAND_SET:
        break; /* bit by bit */
    default:
        f->ok = false;
    }
}

static bool sets(const struct rg_cnode *s, int var)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    return a && (a->kind == RG_C_ASSIGN || a->kind == RG_C_INCDEC) && is_scalar(a->kid[0]) && a->kid[0]->var == var &&
           (a->kind == RG_C_INCDEC || !rg__c_writes_var(a->kid[1], var));
}

static void look(const struct windows *w, const struct rg_cnode *s, int var, struct found *f)
{
    f->sure = 0;
    if (!s || !f->ok || !rg__c_writes_var(s, var)) return;
    if (s->kind == RG_C_BLOCK) {
        unsigned sure = 0;
        for (int i = 0; i < s->n; i++) {
            look(w, s->kid[i], var, f);
            sure |= f->sure;
        }
        f->sure = sure;
    } else if (s->kind == RG_C_IF) {
        f->ok = !mentions_moved(w, s->kid[0]);
        look(w, s->kid[1], var, f);
        unsigned first = f->sure;
        look(w, s->n > 2 ? s->kid[2] : NULL, var, f);
        f->sure &= first;
    } else if (sets(s, var)) {
        update(w, s->kid[0], var, f);
    } else {
        f->ok = false;
    }
}

/* Does every iteration roll it, in one direction? Sums carry upwards alone: what was there goes out at the top. */
static bool is_rolled(const struct found *f)
{
    return f->ok && f->sure & SURE_ROLL && f->left != f->right && !(f->right && (f->adds || f->counts));
}

/* Is the counter read in comparisons with numbers alone? *enough: from there on all of them have one outcome. */
static bool compared(const struct rg_cnode *n, int var, int64_t *enough)
{
    if (!n) return true;
    if (is_scalar(n) && n->var == var) return false;
    if (n->kind == RG_C_BINARY && rg_c_relation(n->op))
        for (int side = 0; side < 2; side++) {
            int64_t c;
            enum rg_c_op op = side ? rg_c_converse(n->op) : n->op;
            if (!is_var(n->kid[side], var) || !number(n->kid[1 - side], &c)) continue;
            c += op != RG_COP_GE && op != RG_COP_LT;
            *enough = c > *enough ? c : *enough;
            return true;
        }
    if (n->kind == RG_C_STMT && sets(n, var)) return true; /* as it is updated */
    for (int i = 0; i < n->n; i++)
        if (!compared(n->kid[i], var, enough)) return false;
    return true;
}

/* Is the scalar read anywhere but in the loop? */
static bool read_elsewhere(const struct rg_cnode *n, const struct rg_cnode *loop, int var)
{
    if (!n || n == loop) return false;
    if (is_scalar(n) && n->var == var) return true;
    for (int i = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && is_scalar(n->kid[0]); i < n->n; i++)
        if (read_elsewhere(n->kid[i], loop, var)) return true;
    return false;
}

static bool find(struct windows *w, const struct rg_cnode *block, int at)
{
    bool any = false;
    for (int v = 0; v < w->t->n_vars; v++)
        w->moved[v] = rg__c_writes_var(w->body, v) && !rg__c_declares(w->body, v) && !rg__c_binds(w->body, v);
    for (int v = 0; v < w->t->n_vars; v++) {
        const struct rg_cvar *x = &w->t->vars[v];
        struct found f = {.ok = true};
        int64_t first, enough = 1;
        if (!w->moved[v] || x->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(x->type) || w->n == MOST_ROLLED) continue;
        look(w, w->body, v, &f);
        bool roll = is_rolled(&f), count = f.ok && f.sure & SURE_COUNT && f.counts && !f.left && !f.right && !f.adds;
        if ((!roll && !count) || read_elsewhere(w->t->root, w->loop, v)) continue;
        const enum rg_scalar counted = w->t->vars[w->loop->var].type;
        if (count && (f.reset_elsewhere || bits_of(x->type) < 32 ||
                      (!rg_scalar_is_signed(x->type) && bits_of(x->type) < bits_of(counted)) ||
                      !rg__search_number_before(w->t->root, block, at, v, &first) || first < 0 ||
                      !compared(w->body, v, &enough)))
            continue;
        w->at[w->n++] = (struct rolled){.var = v, .steps = roll ? f.steps : enough};
        any = any || roll;
    }
    return any;
}

static const struct rolled *rolled_of(const struct windows *w, int var)
{
    for (int i = 0; i < w->n; i++)
        if (w->at[i].var == var) return &w->at[i];
    return NULL;
}

/* ---- what makes them ---- */

static int set_by(const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (a && (a->kind == RG_C_ASSIGN || a->kind == RG_C_INCDEC) && is_scalar(a->kid[0])) return a->kid[0]->var;
    return s->kind == RG_C_DECL && s->array < 0 ? s->var : -1;
}

static void need(struct windows *w, const struct rg_cnode *n, bool *more)
{
    if (!n) return;
    if (is_scalar(n) && !w->needed[n->var] && rg__c_declares(w->body, n->var)) w->needed[n->var] = *more = true;
    for (int i = 0; i < n->n; i++) need(w, n->kid[i], more);
}

/* The statements that make the rolled and the needed ones, copied; NULL: none does. *ok false: in a way that can't be.
 */
static struct rg_cnode *slice(struct windows *w, const struct rg_cnode *s, bool *ok)
{
    struct rg_ctree *t = w->t;
    if (!s) return NULL;
    if (s->kind == RG_C_BLOCK) {
        struct rg__kids k = {0};
        for (int i = 0; i < s->n; i++) {
            struct rg_cnode *c = slice(w, s->kid[i], ok);
            if (c) rg__kids_add(&k, c);
        }
        if (!k.n) return NULL;
        return rg__kids_node(t, RG_C_BLOCK, &k);
    }
    if (s->kind == RG_C_IF) {
        struct rg_cnode *yes = slice(w, s->kid[1], ok), *no = s->n > 2 ? slice(w, s->kid[2], ok) : NULL;
        if (!yes && !no) return NULL;
        struct rg_cnode *c = rg_cnode_new(t, RG_C_IF, no ? 3 : 2);
        c->kid[0] = rg__c_copy(t, s->kid[0]);
        c->kid[1] = yes ? yes : rg_cnode_new(t, RG_C_BLOCK, 0);
        if (no) c->kid[2] = no;
        c->line = s->line, c->column = s->column;
        return c;
    }
    int var = set_by(s);
    if (var >= 0 && (rolled_of(w, var) || w->needed[var])) return rg__c_copy(t, s);
    for (int v = 0; v < t->n_vars; v++)
        if ((rolled_of(w, v) || w->needed[v]) && rg__c_writes_var(s, v)) *ok = false; /* a loop, or on the way */
    return NULL;
}

/* Does the loop write memory that the array is of, by whatever name? */
static bool written(const struct windows *w, int array)
{
    const struct rg_ctree *t = w->t;
    for (int a = 0; a < t->n_arrays; a++) {
        bool same = a == array || w->p->may_alias || t->arrays[a].view || t->arrays[array].view ||
                    (t->arrays[array].param >= 0 && t->arrays[a].param == t->arrays[array].param);
        if (same && rg__writes_array(w->body, a)) return true;
    }
    return false;
}

/* May it be done again, later? Of what the loop carries, nothing but the rolled ones, each in its own update. */
static bool again(const struct windows *w, const struct rg_cnode *n, int updated)
{
    if (!n) return true;
    if (n->kind == RG_C_CALL && n->callee < 0 && !rg__c_pure_library(n->text)) return false;
    if (n->kind == RG_C_CALL && n->callee >= 0 && !rg__c_pure(w->t, n)) return false;
    if (n->kind == RG_C_OPAQUE || n->kind == RG_C_VERBATIM || n->kind == RG_C_COMMA) return false;
    if (n->kind == RG_C_UNARY && (n->op == RG_COP_DEREF || n->op == RG_COP_ADDRESS)) return false;
    if (n->array >= 0 && (rg__c_declares_array(w->body, n->array) || written(w, n->array))) return false;
    if (is_scalar(n) && w->moved[n->var] && n->var != updated) return false;
    if (n->kind == RG_C_STMT) updated = set_by(n);
    for (int i = 0; i < n->n; i++)
        if (!again(w, n->kid[i], updated)) return false;
    return true;
}

/* ---- what is left ---- */

/* v op= e; alone: what can be done in another order, or scanned. */
static bool adds_up(const struct rg_cnode *n, int var)
{
    if (!n || !rg__c_writes_var(n, var)) return true;
    if (n->kind == RG_C_STMT && sets(n, var))
        return n->kid[0]->kind == RG_C_INCDEC ||
               (n->kid[0]->op != RG_COP_SET && !rg__c_mentions_var(n->kid[0]->kid[1], var));
    if (rg__c_is_expr(n) || n->kind == RG_C_STMT) return false;
    for (int i = 0; i < n->n; i++)
        if (!adds_up(n->kid[i], var)) return false;
    return true;
}

/* Is the array read anywhere but by updates of what they read? */
static bool read_back(const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) {
        const struct rg_cnode *to = n->kid[0];
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        for (int i = 0; i < to->n; i++)
            if (read_back(to->kid[i], array)) return true;
        bool place = to->kind == RG_C_INDEX || is_scalar(to);
        return (!place && rg__c_mentions_array(to, array)) || (n->n > 1 && read_back(n->kid[1], array));
    }
    if (n->array == array && n->kind != RG_C_DECL) return true;
    for (int i = 0; i < n->n; i++)
        if (read_back(n->kid[i], array)) return true;
    return false;
}

/* Does nothing but the rolled ones tie its iterations together? Else it would be longer for nothing. */
static bool free_without(const struct windows *w)
{
    for (int v = 0; v < w->t->n_vars; v++)
        if (w->moved[v] && !rolled_of(w, v) && !adds_up(w->body, v)) return false;
    for (int a = 0; a < w->t->n_arrays; a++)
        if (rg__writes_array(w->body, a) && !rg__c_declares_array(w->body, a) && read_back(w->body, a)) return false;
    return true;
}

/* ---- the loop ---- */

static struct rg_cnode *with(struct rg_ctree *t, struct rg_cnode *n, int was, int now)
{
    rg__c_replace_var(t, n, was, rg__c_var(t, now));
    return n;
}

static void declare_anew(struct rg_cnode *n, int was, int now)
{
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == was) n->var = now;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i]) declare_anew(n->kid[i], was, now);
}

static void remake(struct windows *w, struct rg_cnode *part, int64_t steps)
{
    struct rg_ctree *t = w->t;
    struct rg_cnode *l = w->loop, *inner = rg_cnode_new(t, RG_C_LOOP, 3), *from = rg_cnode_new(t, RG_C_COND, 3);
    struct rg__kids front = {0};
    for (int v = 0, n = t->n_vars; v < n; v++)
        if (w->needed[v]) {
            int own = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
            declare_anew(part, v, own);
            with(t, part, v, own);
        }
    inner->var = rg__c_add_var(t, t->vars[l->var].name, RG_CVAR_ITER, t->vars[l->var].type);
    inner->step = 1;
    inner->line = l->line, inner->column = l->column;
    with(t, part, l->var, inner->var);
    for (int i = 0; i < w->n; i++) {
        struct rolled *x = &w->at[i];
        x->own = rg__c_add_var(t, t->vars[x->var].name, RG_CVAR_LOCAL, t->vars[x->var].type);
        with(t, part, x->var, x->own);
        with(t, w->body, x->var, x->own);
        rg__kids_add(&front, rg__c_declaration(t, x->own, rg__c_var(t, x->var), l));
    }
    /* i - steps, from the first on: whether i has a sign or not */
    const struct rg_cnode *lo = l->kid[0];
    struct rg_cnode *gone = rg__c_var(t, l->var), *most = rg__c_int(t, steps);
    if (lo->kind == RG_C_INT)
        most->ivalue += lo->ivalue;
    else
        gone = rg__c_binary(t, RG_COP_SUB, gone, rg__c_copy(t, lo));
    from->kid[0] = rg__c_binary(t, RG_COP_GT, gone, most);
    from->kid[1] = rg__c_binary(t, RG_COP_SUB, rg__c_var(t, l->var), rg__c_int(t, steps));
    from->kid[2] = rg__c_cast(t, rg__c_copy(t, lo), from->kid[1]->type);
    from->type = from->kid[1]->type;
    inner->kid[0] = from;
    inner->kid[1] = rg__c_var(t, l->var);
    inner->kid[2] = part;
    rg__kids_add(&front, inner);
    rg__block_splice(t, w->body, 0, 0, &front);
}

static void look_at(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at)
{
    struct rg_cnode *l = block->kid[at];
    struct windows w = {.t = t, .p = p, .loop = l, .body = l->kid[2]};
    w.needed = rg_xcalloc((size_t)t->n_vars + 1, 1);
    w.moved = rg_xcalloc((size_t)t->n_vars + 1, 1);
    struct rg_cnode *part = NULL;
    int64_t steps = 0;
    bool ok = find(&w, block, at);
    for (bool more = true; ok && more;) {
        more = false;
        part = slice(&w, w.body, &ok);
        need(&w, part, &more);
    }
    for (int i = 0; i < w.n; i++) steps = w.at[i].steps > steps ? w.at[i].steps : steps;
    if (ok && part && part->kind == RG_C_BLOCK && steps <= MOST_STEPS && rg__c_size(part) <= MOST_NODES &&
        again(&w, part, -1) && free_without(&w))
        remake(&w, part, steps);
    free(w.needed);
    free(w.moved);
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; n->kind != RG_C_LOOP && i < n->n; i++) walk(t, p, n->kid[i]);
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        const struct rg_cnode *l = n->kid[i];
        if (l->kind == RG_C_LOOP && l->n == 3 && l->kid[2]->kind == RG_C_BLOCK && l->step == 1 &&
            !rg__mentions_kind(l->kid[2], RG_C_VERBATIM) && !rg__leaves_early(l->kid[2]))
            look_at(t, p, n, i);
    }
}

void rg__canon_windows(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root);
}
