/* Classes that the way values travel between elements of one array tells (docs/graph.md): sorts, butterflies,
 * relaxations over edges, dynamic programming, and triangular solves and factorisations. What this says holds by the
 * structure of the assignments; nothing is claimed of what runs in parallel. */
#include "frontend/infer/infer.h"
#include "frontend/infer/values.h"
#include "ir/ctree_sort.h"
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_SOURCES = 64 };

struct facts {
    struct rg_ctree *t;
    struct rg__writes w;
    struct rg__range *r;
    int *alike; /* by array: those whose elements are copied to one another, as the least of their indices */
};

struct sources {
    int n;
    struct rg__value_source items[MOST_SOURCES];
};

static void keep(void *arg, const struct rg__value_source *s)
{
    struct sources *x = arg;
    if (x->n < MOST_SOURCES) x->items[x->n++] = *s;
}

static bool same_element(const struct rg_cnode *a, const struct rg_cnode *b)
{
    if (a->array != b->array || a->n != b->n) return false;
    for (int d = 0; d < a->n; d++)
        if (!rg__c_same(a->kid[d], b->kid[d], RG__C_UNCAST)) return false;
    return true;
}

enum { MOST_DIMS = 6 };

struct offset {
    int dims; /* in which they differ */
    int64_t by[MOST_DIMS];
};

/* Subscripts that differ by integers: a less b. */
static bool constant_apart(struct facts *f, const struct rg_cnode *a, const struct rg_cnode *b, struct offset *o)
{
    *o = (struct offset){0};
    if (a->n != b->n || a->n > MOST_DIMS) return false;
    for (int d = 0; d < a->n; d++) {
        struct rg__poly x = rg__poly_of(f->r, rg__defined_as(&f->w, a->kid[d]));
        struct rg__poly y = rg__poly_of(f->r, rg__defined_as(&f->w, b->kid[d])), diff = rg__poly_add(&x, &y, -1);
        int64_t c;
        if (x.bad || y.bad || !rg__poly_is_int(&diff, &c)) return false;
        o->dims += c != 0;
        o->by[d] = c;
    }
    return true;
}

static bool opposite(const struct offset *a, const struct offset *b)
{
    for (int d = 0; d < MOST_DIMS; d++)
        if (a->by[d] != -b->by[d]) return false;
    return true;
}

/* A subscript that is an element of another array by itself: the end of an edge. */
static bool through_edge(struct facts *f, const struct rg_cnode *x)
{
    for (int d = 0; d < x->n; d++)
        if (rg__element_of(&f->w, x->kid[d])) return true;
    return false;
}

static bool order_relation(const struct rg_cnode *e)
{
    return e->op == RG_COP_LT || e->op == RG_COP_GT || e->op == RG_COP_LE || e->op == RG_COP_GE;
}

/* ---- sort ---- */

struct reads_of {
    const struct facts *f;
    int alike;
    bool found;
};

static void reads_set(void *arg, const struct rg__value_source *s)
{
    struct reads_of *r = arg;
    r->found |= r->f->alike[s->element->array] == r->alike;
    for (int d = 0; d < s->element->n; d++) { /* an order of indices is compared by what they lead to */
        const struct rg_cnode *x = rg__element_of(&r->f->w, s->element->kid[d]);
        r->found |= x && r->f->alike[x->array] == r->alike;
    }
}

static bool reads_alike(const struct facts *f, const struct rg_cnode *e, int alike)
{
    struct reads_of r = {f, alike, false};
    rg__sources(&f->w, e, reads_set, &r);
    return r.found;
}

static bool compares(const struct facts *f, const struct rg_cnode *e, int alike)
{
    if (!e) return false;
    if (e->kind == RG_C_BINARY && order_relation(e) && reads_alike(f, e->kid[0], alike) &&
        reads_alike(f, e->kid[1], alike))
        return true;
    for (int i = 0; i < e->n; i++)
        if (compares(f, e->kid[i], alike)) return true;
    return false;
}

/* Are all values of these arrays elements of them, moved to other places? Two moves to different places in one loop
 * tell an exchange from a running maximum. */
static bool permutes(struct facts *f, int alike)
{
    const struct rg__write *moves[32];
    int n = 0;
    for (int i = 0; i < f->w.n; i++) {
        const struct rg__write *x = &f->w.items[i];
        if (!x->target || f->alike[x->target->array] != alike) continue;
        struct sources s = {0};
        if (!x->value || x->assign->op != RG_COP_SET) return false;
        rg__sources(&f->w, x->value, keep, &s);
        if (s.n == 0) return false;
        for (int k = 0; k < s.n; k++)
            if (!s.items[k].copied || f->alike[s.items[k].element->array] != alike) return false;
        if (n < 32) moves[n++] = x;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const struct rg__write *a = moves[i], *b = moves[k];
            if (a->n_loops == 0 || a->n_loops > b->n_loops) continue;
            if (a->n_loops == b->n_loops && same_element(a->target, b->target))
                continue; /* behind a loop j is another */
            if (!memcmp(a->loops, b->loops, (size_t)a->n_loops * sizeof *a->loops)) return true;
        }
    return false;
}

static bool library_sort(const struct rg_cnode *n, bool in_loop)
{
    if (!n) return false;
    struct rg_csort sort;
    if (rg_c_sort_of(n, &sort)) return !in_loop;
    bool loop = in_loop || n->kind == RG_C_LOOP || n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO;
    for (int i = 0; i < n->n; i++)
        if (library_sort(n->kid[i], loop)) return true;
    return false;
}

static bool sorts(struct facts *f)
{
    if (library_sort(f->t->root, false)) return true;
    for (int a = 0; a < f->t->n_arrays; a++) {
        bool whole = f->t->arrays[a].param >= 0 || f->t->arrays[a].mallocd; /* a window's few values are no sort */
        if (whole && permutes(f, f->alike[a]) && compares(f, f->t->root, f->alike[a])) return true;
    }
    return false;
}

/* ---- butterflies ---- */

static bool reads(const struct sources *s, const struct rg_cnode *element, bool unscaled)
{
    for (int i = 0; i < s->n; i++)
        if (same_element(s->items[i].element, element) && !(unscaled && s->items[i].scaled)) return true;
    return false;
}

/* Two elements of which each becomes a combination of both, of one without a factor, at a distance that is no constant.
 * A plane rotation has factors at all of them. */
static bool butterfly(struct facts *f)
{
    for (int i = 0; i < f->w.n; i++)
        for (int k = i + 1; k < f->w.n; k++) {
            const struct rg__write *a = &f->w.items[i], *b = &f->w.items[k];
            if (!a->target || !b->target || a->target->array != b->target->array || a->n_loops < 2) continue;
            if (a->n_loops != b->n_loops || memcmp(a->loops, b->loops, (size_t)a->n_loops * sizeof *a->loops)) continue;
            struct offset o;
            if (!a->value || !b->value || same_element(a->target, b->target) ||
                constant_apart(f, a->target, b->target, &o))
                continue;
            struct sources x = {0}, y = {0};
            rg__sources(&f->w, a->value, keep, &x);
            rg__sources(&f->w, b->value, keep, &y);
            if (a->assign->op != RG_COP_SET) keep(&x, &(struct rg__value_source){.element = a->target});
            if (b->assign->op != RG_COP_SET) keep(&y, &(struct rg__value_source){.element = b->target});
            bool both = reads(&x, a->target, false) && reads(&x, b->target, false) && reads(&y, a->target, false) &&
                        reads(&y, b->target, false);
            bool plain = reads(&x, a->target, true) || reads(&y, b->target, true);
            bool chosen = false;
            for (int n = 0; n < x.n; n++) chosen |= x.items[n].chosen;
            if (both && plain && !chosen) return true;
        }
    return false;
}

/* ---- what is chosen among earlier values ---- */

struct earlier {
    int edges;   /* elements of the same array, or of one it is copied to, at the end of an edge */
    int others;  /* different elements of the array itself, besides the one written */
    bool far;    /* one of them not a constant away in one dimension: no recurrence along a line */
    bool around; /* two of them on either side: a stencil in place */
};

/* Is the local array nothing but what the other one was? */
static bool is_copy(struct facts *f, int array, int of)
{
    bool any = false;
    if (f->t->arrays[array].param >= 0) return false;
    for (int i = 0; i < f->w.n; i++) {
        const struct rg__write *x = &f->w.items[i];
        if (!x->target || x->target->array != array) continue;
        const struct rg_cnode *from = x->value && x->assign->op == RG_COP_SET ? rg__element_of(&f->w, x->value) : NULL;
        if (!from || from->array != of) return false;
        any = true;
    }
    return any;
}

static void earlier_values(struct facts *f, const struct rg__write *x, struct earlier *out)
{
    struct sources s = {0};
    rg__sources(&f->w, x->value, keep, &s);
    int value = s.n;
    for (int g = 0; g < x->n_guards; g++) {
        struct sources c = {0};
        rg__sources(&f->w, x->guards[g], keep, &c);
        bool own = false;
        for (int i = 0; i < c.n; i++) own |= f->alike[c.items[i].element->array] == f->alike[x->target->array];
        for (int i = 0; i < c.n && own; i++) {
            c.items[i].chosen = true;
            keep(&s, &c.items[i]);
        }
        for (int i = 0; i < value && own; i++) s.items[i].chosen = true; /* taken where the condition says so */
    }
    const struct rg_cnode *seen[MOST_SOURCES];
    struct offset offsets[MOST_SOURCES];
    int n = 0, apart = 0;
    for (int i = 0; i < s.n; i++) {
        const struct rg_cnode *e = s.items[i].element;
        if (!s.items[i].chosen || f->alike[e->array] != f->alike[x->target->array]) continue;
        if (e->array == x->target->array && same_element(e, x->target)) continue;
        out->edges += through_edge(f, e) || through_edge(f, x->target);
        if (e->array != x->target->array) {
            struct offset o;
            out->far |= is_copy(f, e->array, x->target->array) && !constant_apart(f, x->target, e, &o);
            continue;
        }
        int k = 0;
        while (k < n && !same_element(seen[k], e)) k++;
        if (k < n) continue;
        seen[n++] = e;
        struct offset *o = &offsets[apart];
        if (!constant_apart(f, x->target, e, o)) {
            out->far = true;
            continue;
        }
        out->far |= o->dims > 1;
        for (int before = 0; before < apart; before++) out->around |= opposite(o, &offsets[before]);
        apart++;
    }
    out->others = n;
}

static const char *chosen_among(struct facts *f)
{
    const char *found = NULL;
    for (int i = 0; i < f->w.n; i++) {
        const struct rg__write *x = &f->w.items[i];
        if (!x->target || !x->value || x->n_loops < 2) continue;
        struct earlier e = {0};
        earlier_values(f, x, &e);
        if (e.edges) return "relaxation";
        bool compared =
            rg__compares_elements(&f->w, x->value); /* an exit where a pivot is not positive chooses nothing */
        for (int g = 0; g < x->n_guards; g++) compared |= rg__compares_elements(&f->w, x->guards[g]);
        if ((e.far || e.others > 1) && !e.around && compared) found = "dynamic-programming";
    }
    return found;
}

/* ---- triangular solves and factorisations ---- */

static const struct rg_cnode *loop_of(const struct rg__write *x, int var)
{
    for (int i = 0; i < x->n_loops; i++)
        if (x->loops[i]->kind == RG_C_LOOP && x->loops[i]->var == var) return x->loops[i];
    return NULL;
}

/* The LOOP whose variable the subscript is, perhaps plus a constant; NULL. */
static const struct rg_cnode *subscript_loop(struct facts *f, const struct rg__write *x,
                                             const struct rg_cnode *subscript)
{
    struct rg__poly p = rg__poly_of(f->r, subscript);
    const struct rg_cnode *found = NULL;
    for (int i = 0; i < p.n; i++) {
        if (p.terms[i].degree == 0) continue;
        if (p.terms[i].degree != 1 || p.terms[i].c != 1 || found) return NULL;
        found = loop_of(x, p.terms[i].var[0]);
        if (!found) return NULL;
    }
    return found;
}

/* Do the iterations come to the element at `read` before they come to that at `written`? One of the two loops bounds
 * the other. */
static bool final_before(const struct rg_cnode *read, const struct rg_cnode *written)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        const struct rg_cnode *outer = swapped ? read : written, *inner = swapped ? written : read;
        bool below = rg__c_mentions_var(inner->kid[1], outer->var),
             above = rg__c_mentions_var(inner->kid[0], outer->var);
        if (inner->step < 0) { /* from kid[0] down */
            bool b = below;
            below = above;
            above = b;
        }
        if (below == above) continue;
        bool read_first = swapped ? above : below; /* the element read has the smaller index */
        if (outer->step > 0 ? read_first : !read_first) return true;
    }
    return false;
}

static bool solves_in_order(struct facts *f)
{
    for (int i = 0; i < f->w.n; i++) {
        const struct rg__write *x = &f->w.items[i];
        if (!x->target || !x->value) continue;
        struct sources s = {0};
        rg__sources(&f->w, x->value, keep, &s);
        for (int k = 0; k < s.n; k++) {
            const struct rg_cnode *e = s.items[k].element;
            if (e->array != x->target->array || e->n != x->target->n || !s.items[k].factor || s.items[k].chosen)
                continue;
            /* the loops around a sum are around its last use or inside: a scalar's own assignment has them all */
            struct rg__write at = *x;
            for (int n = 0; n < f->w.n; n++) {
                const struct rg__write *v = &f->w.items[n];
                if (v->value && v->n_loops > at.n_loops && rg__c_mentions_array(v->value, e->array) &&
                    !memcmp(v->loops, x->loops, (size_t)x->n_loops * sizeof *v->loops)) {
                    at.n_loops = v->n_loops;
                    memcpy(at.loops, v->loops, sizeof at.loops);
                }
            }
            for (int d = 0; d < e->n; d++) {
                if (rg__c_same(e->kid[d], x->target->kid[d], RG__C_UNCAST)) continue;
                const struct rg_cnode *read = subscript_loop(f, &at, e->kid[d]);
                const struct rg_cnode *written = subscript_loop(f, &at, x->target->kid[d]);
                if (read && written && read != written && final_before(read, written)) return true;
            }
        }
    }
    return false;
}

const char *rg__recurrence_class(struct rg_ctree *t)
{
    struct facts f = {
        .t = t, .r = rg_xmalloc(sizeof *f.r), .alike = rg_xmalloc((size_t)(t->n_arrays + 1) * sizeof *f.alike)};
    rg__range_init(f.r, t, NULL);
    rg__writes_gather(&f.w, t);
    for (int a = 0; a < t->n_arrays; a++) f.alike[a] = a;
    for (int i = 0; i < f.w.n; i++) {
        const struct rg__write *x = &f.w.items[i];
        const struct rg_cnode *from =
            x->target && x->value && x->assign->op == RG_COP_SET ? rg__element_of(&f.w, x->value) : NULL;
        if (!from) continue;
        int a = f.alike[x->target->array], b = f.alike[from->array];
        for (int k = 0; k < t->n_arrays && a != b; k++)
            if (f.alike[k] == (a > b ? a : b)) f.alike[k] = a > b ? b : a;
    }
    const char *found = sorts(&f) ? "sort" : butterfly(&f) ? "fft" : chosen_among(&f);
    if (!found && solves_in_order(&f)) found = "triangular";
    rg__writes_release(&f.w);
    free(f.r);
    free(f.alike);
    return found;
}
