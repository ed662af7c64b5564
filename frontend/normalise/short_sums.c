/* Sums of a few components: a loop of a few trips, in a longer one, that adds to an element of its own in each trip,
 * the same ones in each iteration of the longer one:
 *     for (i..) { m += w[i];  for (k = 0; k < 3; k++) c[k] += w[i] * x[i][k]; }
 * is written out,
 *     for (i..) { m += w[i];  c[0] += w[i] * x[i][0];  c[1] += w[i] * x[i][1];  c[2] += w[i] * x[i][2]; }
 * so that all of it is one reduction over the longer loop. With the counter as a subscript these would be places that
 * differ from trip to trip. Arrays that are declared in a loop stay: there each of its iterations has one. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>

enum { MOST_TRIPS = 8, MOST_SUMS = 12, MOST_NODES = 600, DEPTH = 4, LONG = 64, MOST_BOUND = 1000000 };

struct sums {
    struct rg_ctree *t;
    bool *inside; /* [array] declared in a loop */
    int n_short;  /* short loops around, up to the longer one */
    const struct rg_cnode *at[DEPTH];
    int found;  /* sums whose subscripts name at[0]'s counter, trip by trip */
    bool other; /* something that is not to be written out */
};

/* Trips of a loop between numbers; 0: another one. */
static int64_t trips(const struct rg_cnode *l)
{
    int64_t lo, hi, step = l->step > 0 ? l->step : -l->step;
    if (l->kind != RG_C_LOOP || l->n != 3 || !step || !rg__c_number(l->kid[0], &lo) || !rg__c_number(l->kid[1], &hi))
        return 0;
    if (lo < -MOST_BOUND || lo > MOST_BOUND || hi < -MOST_BOUND || hi > MOST_BOUND) return 0;
    int64_t span = l->step > 0 ? hi - lo : lo - hi;
    return span > 0 ? (span + step - 1) / step : 0;
}

static bool is_short(const struct rg_cnode *l)
{
    int64_t n = trips(l);
    return n > 0 && n <= MOST_TRIPS;
}

static void note_declared(struct sums *s, const struct rg_cnode *n, bool looped)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_DECL && n->array >= 0 && looped) s->inside[n->array] = true;
    looped = looped || rg__c_is_loop(n);
    for (int i = 0; i < n->n; i++) note_declared(s, n->kid[i], looped);
}

/* Numbers and counters of the short loops around; *first: the outermost one's. */
static bool of_counters(const struct sums *s, const struct rg_cnode *e, bool *first)
{
    if (e->pointer || e->kind == RG_C_INDEX || e->kind == RG_C_CALL || e->kind == RG_C_MEMBER) return false;
    if (e->kind == RG_C_VAR) {
        int i = 0;
        while (i < s->n_short && (e->array >= 0 || e->var != s->at[i]->var)) i++;
        *first = *first || i == 0;
        return i < s->n_short;
    }
    if (!rg__c_pure(s->t, e)) return false;
    for (int i = 0; i < e->n; i++)
        if (!of_counters(s, e->kid[i], first)) return false;
    return true;
}

/* x op= e, x = x op e */
static bool updates(const struct rg_cnode *a)
{
    if (a->kind == RG_C_INCDEC) return true;
    if (a->kind != RG_C_ASSIGN) return false;
    if (a->op != RG_COP_SET) return true;
    const struct rg_cnode *v = rg__c_uncast(a->kid[1], RG__C_CASTS);
    for (int i = 0; v->kind == RG_C_BINARY && i < 2; i++)
        if (rg__c_equal(rg__c_uncast(v->kid[i], RG__C_CASTS), a->kid[0])) return true;
    return false;
}

static void look(struct sums *s, const struct rg_cnode *n, int64_t times)
{
    static const enum rg_c_kind not [] = {RG_C_BREAK,    RG_C_CONTINUE, RG_C_RETURN, RG_C_LABEL, RG_C_GOTO,
                                          RG_C_VERBATIM, RG_C_OPAQUE,   RG_C_WHILE,  RG_C_DO,    RG_C_FOR};
    if (!n) return;
    for (size_t i = 0; i < sizeof not / sizeof *not ; i++) s->other = s->other || n->kind == not [i];
    const struct rg_cnode *a = n->kind == RG_C_STMT ? n->kid[0] : NULL, *to = a && updates(a) ? a->kid[0] : NULL;
    bool first = false, stays = to && to->kind == RG_C_INDEX && !to->pointer && !s->inside[to->array];
    for (int i = 0; stays && i < to->n; i++) stays = of_counters(s, to->kid[i], &first);
    if (stays && first) s->found += (int)times;
    if (n->kind == RG_C_LOOP) {
        s->other = s->other || !is_short(n) || s->n_short == DEPTH;
        if (s->other) return;
        s->at[s->n_short++] = n;
        look(s, n->kid[2], times * trips(n));
        s->n_short--;
        return;
    }
    for (int i = 0; i < n->n; i++) look(s, n->kid[i], times);
}

static bool sums(struct sums *s, const struct rg_cnode *l)
{
    if (!is_short(l) || l->kid[2]->kind != RG_C_BLOCK || rg__c_size(l->kid[2]) * trips(l) > MOST_NODES) return false;
    s->n_short = s->found = 0;
    s->other = false;
    look(s, l, 1);
    return !s->other && s->found > 0 && s->found <= MOST_SUMS;
}

static void write_out(struct rg_ctree *t, struct rg_cnode *block, int at)
{
    const struct rg_cnode *l = block->kid[at];
    struct rg__kids all = {0};
    int64_t n = trips(l), lo = 0;
    rg__c_number(l->kid[0], &lo);
    for (int64_t i = 0; i < n; i++) {
        struct rg_cnode *number = rg__c_cast(t, rg__c_int(t, lo + i * l->step), t->vars[l->var].type),
                        *b = rg__c_replace_var(t, rg__c_copy(t, l->kid[2]), l->var, number);
        rg__moves_fresh(t, b, b);
        rg__moves_fresh_arrays(t, b, b);
        for (int k = 0; k < b->n; k++) rg__kids_add(&all, b->kid[k]);
    }
    rg__block_splice(t, block, at, 1, &all);
}

/* longer: there is a loop around that is not short. */
static void walk(struct sums *s, struct rg_cnode *n, bool longer)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *k = n->kid[i];
        if (!k) continue;
        if (longer && n->kind == RG_C_BLOCK && k->kind == RG_C_LOOP && sums(s, k)) {
            write_out(s->t, n, i);
            i--; /* what stands there now is looked at, too */
            continue;
        }
        int64_t m = k->kind == RG_C_LOOP ? trips(k) : 0;
        walk(s, k, longer || (rg__c_is_loop(k) && (m == 0 || m >= LONG)));
    }
}

void rg__canon_short_sums(struct rg_ctree *t)
{
    struct sums s = {.t = t, .inside = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *s.inside)};
    note_declared(&s, t->root, false);
    walk(&s, t->root, false);
    free(s.inside);
}
