/* Marks and levels of a graph search as they are before its first round. */
#include "frontend/normalise/scattered_stores_values.h"
#include "frontend/normalise/update_rounds.h"
#include "frontend/normalise/work_lists.h"

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

const struct rg_cnode *rg__list_fills(const struct rg_cnode *k, int array, double *v)
{
    double low;
    const struct rg_cnode *top = NULL;
    if (k->kind != RG_C_LOOP || k->n != 3 || k->step != 1 || !rg__round_number(k->kid[0], &low) || low != 0)
        return NULL;
    for (int i = 0; i < k->kid[2]->n; i++) {
        const struct rg_cnode *s = k->kid[2]->kid[i], *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
        if (!rg__writes_array(s, array)) continue;
        const struct rg_cnode *to = e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX ? e->kid[0] : NULL;
        const struct rg_cnode *at = to && to->n == 1 ? rg__c_uncast(to->kid[0], RG__C_INT_CASTS) : NULL;
        if (top || !at || to->array != array || !scalar(at) || at->var != k->var || !rg__round_number(e->kid[1], v))
            return NULL;
        top = k->kid[1];
    }
    return top;
}

const struct rg_cnode *rg__list_begun(const struct rg__list *l, int array, const struct rg_cnode *source, double *clear,
                                      double *first)
{
    const struct rg_cnode *top = NULL;
    bool set = false;
    for (int i = 0; i < l->n_front; i++) {
        const struct rg_cnode *k = l->front[i];
        if (!rg__writes_array(k, array)) continue;
        const struct rg_cnode *all = rg__list_fills(k, array, clear), *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        if (all) {
            top = all;
            set = false;
            continue;
        }
        if (top && !set && k == l->seeds && rg__list_seeds_have(l, array, *clear, first)) {
            set = true;
            continue;
        }
        if (!top || set || !e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX || e->kid[0]->array != array ||
            e->kid[0]->n != 1 || !rg__list_same(e->kid[0]->kid[0], source) || !rg__round_number(e->kid[1], first))
            return NULL;
        set = true;
    }
    const enum rg_scalar elem = l->t->arrays[array].elem;
    return set && rg__scatter_keeps(elem, *clear) && rg__scatter_keeps(elem, *first) ? top : NULL;
}

bool rg__list_begins(struct rg__list *l)
{
    double number, head = -1, tail = -1, n_now = -1;
    const struct rg_cnode *value, *top = l->in == l->out ? NULL : rg__c_uncast(l->inner->kid[1], RG__C_INT_CASTS);
    l->sources = -1;
    l->seeds = l->seed = NULL;
    for (int i = 0; i < l->n_front; i++) {
        const struct rg_cnode *k = l->front[i], *e = k->kind == RG_C_STMT ? k->kid[0] : NULL;
        const int given = rg__list_gives(k, &value);
        if (given >= 0 && (given == l->head || given == l->tail || (top && given == top->var))) {
            if (l->head >= 0 && (rg__list_is_var(value, l->head) || rg__list_is_var(value, l->tail)))
                number = rg__list_is_var(value, l->head) ? head : tail; /* head = tail = 0; */
            else if (!rg__round_number(value, &number))
                return false;
            if (l->seeds && given == l->tail) return false;
            *(given == l->head ? &head : given == l->tail ? &tail : &n_now) = number;
            continue;
        }
        if (k->kind == RG_C_DECL && k->array < 0 && !k->n) continue;
        if (e && e->op == RG_COP_SET && e->kid[0]->kind == RG_C_INDEX && e->kid[0]->array == l->in) {
            const struct rg_cnode *at = e->kid[0]->kid[0];
            bool first =
                (rg__round_number(at, &number) && number == 0) ||
                (top ? rg__list_is_var(at, top->var) && n_now == 0 : rg__list_is_var(at, l->tail) && tail == 0);
            const int own = i - (l->n_front - l->at);
            if (!first || own < 0 || l->sources >= 0 || rg__c_mentions_array(e->kid[1], l->in)) return false;
            l->sources = own;
            l->seed = l->front[i];
            continue;
        }
        struct rg_cnode *seed = l->sources < 0 && tail == 0 && i >= l->n_front - l->at ? rg__list_seed(l, k) : NULL;
        if (seed) {
            l->sources = i - (l->n_front - l->at);
            l->seeds = k;
            l->seed = seed;
            continue;
        }
        bool counts = e && (e->kind == RG_C_INCDEC || e->op == RG_COP_ADD_SET) && scalar(e->kid[0]);
        if (counts && (e->kid[0]->var == l->tail || (top && e->kid[0]->var == top->var))) {
            double by = 1, *what = e->kid[0]->var == l->tail ? &tail : &n_now;
            if (e->kind == RG_C_INCDEC ? !rg_c_increments(e->op) : !rg__round_number(e->kid[1], &by)) return false;
            *what += by;
            continue;
        }
        bool touches = (l->head >= 0 && rg__c_writes_var(k, l->head)) || rg__c_writes_var(k, l->tail) ||
                       (top && rg__c_writes_var(k, top->var));
        bool lists = !(k->kind == RG_C_DECL && (k->array == l->in || k->array == l->out)) &&
                     (rg__c_mentions_array(k, l->in) || rg__c_mentions_array(k, l->out));
        if (touches || lists) return false;
    }
    if (l->sources < 0 || (l->head >= 0 && head != 0)) return false;
    return top ? n_now == 1 : tail == (l->seeds ? 0 : 1);
}
