/* Evidence as a union of runs. A row tells of a set of runs (one, or those folded into it); rows of one
 * (device, class, program, coder) are kept as the maximal run sets, each with its fullest content. That is a join of a
 * semilattice: idempotent, commutative, associative, so merging graphs is order-free. */
#include "regraph/internal.h"

#include <stdlib.h>
#include <string.h>

const char *const *rg__row_runs(const struct rg_evidence *e, int *n)
{
    *n = e->n_runs ? e->n_runs : 1;
    return e->n_runs ? (const char *const *)e->runs : &e->run;
}

static const char *program_of(const struct rg_evidence *e)
{
    return e->program ? e->program : "";
}

static int group_compare(const struct rg_evidence *a, const struct rg_evidence *b)
{
    int c = strcmp(a->device, b->device);
    if (!c) c = strcmp(a->klass, b->klass);
    if (!c) c = strcmp(program_of(a), program_of(b));
    if (!c) c = strcmp(a->coder, b->coder);
    return c;
}

bool rg__same_group(const struct rg_evidence *a, const struct rg_evidence *b)
{
    return group_compare(a, b) == 0;
}

int rg__row_key_compare(const struct rg_evidence *a, const struct rg_evidence *b)
{
    int na, nb, c = group_compare(a, b);
    if (c) return c;
    const char *const *ra = rg__row_runs(a, &na), *const *rb = rg__row_runs(b, &nb);
    if (na != nb) return na < nb ? 1 : -1; /* compacted rows first */
    for (int i = 0; i < na && !c; i++) c = strcmp(ra[i], rb[i]);
    return c;
}

static int extra_compare(const struct rg__extra *a, const struct rg__extra *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    int c = 0;
    for (int i = 0; i < a->n && !c; i++) {
        c = strcmp(a->items[i].key, b->items[i].key);
        if (!c) c = strcmp(a->items[i].json, b->items[i].json);
    }
    return c;
}

int rg__tuned_compare(const void *x, const void *y)
{
    const struct rg_tuned *a = x, *b = y;
    int c = strcmp(a->name, b->name);
    return c ? c : (a->value > b->value) - (a->value < b->value);
}

static const char *known(const char *s)
{
    return s ? s : "";
}

int rg__origin_compare(const struct rg_provenance *a, const struct rg_provenance *b)
{
    int c = strcmp(known(a->date), known(b->date));
    if (!c) c = strcmp(known(a->version), known(b->version));
    return c ? c : strcmp(known(a->machine), known(b->machine));
}

static int content_compare(const struct rg__row *x, const struct rg__row *y)
{
    const struct rg_evidence *a = &x->e, *b = &y->e;
    const int64_t pairs[][2] = {{a->told, b->told}, {a->n, b->n},         {a->ok, b->ok},
                                {a->sum, b->sum},   {a->sumsq, b->sumsq}, {a->max, b->max}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][0] != pairs[i][1]) return pairs[i][0] < pairs[i][1] ? -1 : 1;
    for (int i = 0; i < RG_N_OUTCOMES; i++)
        if (a->fail[i] != b->fail[i]) return a->fail[i] < b->fail[i] ? -1 : 1;
    if (a->refused != b->refused) return a->refused < b->refused ? -1 : 1;
    if (a->lead != b->lead) return a->lead < b->lead ? -1 : 1;
    if (a->n_tuned != b->n_tuned) return a->n_tuned < b->n_tuned ? -1 : 1;
    for (int i = 0; i < a->n_tuned; i++) {
        int c = rg__tuned_compare(&a->tuned[i], &b->tuned[i]);
        if (c) return c;
        if (a->tuned[i].count != b->tuned[i].count) return a->tuned[i].count < b->tuned[i].count ? -1 : 1;
    }
    return extra_compare(&x->extra, &y->extra);
}

int rg__row_compare(const struct rg__row *x, const struct rg__row *y)
{
    int c = content_compare(x, y);
    return c ? c : rg__origin_compare(&x->e.origin, &y->e.origin);
}

static int by_run(const void *key, const void *item)
{
    return strcmp(key, *(const char *const *)item);
}

/* How many run ids two rows share; both lists are sorted. */
static int shared_runs(const struct rg_evidence *a, const struct rg_evidence *b)
{
    int na, nb, shared = 0;
    const char *const *ra = rg__row_runs(a, &na), *const *rb = rg__row_runs(b, &nb);
    if (na > nb) return shared_runs(b, a);
    if (na < nb / 16) { /* most often a single run against a long list */
        for (int i = 0; i < na; i++) shared += bsearch(ra[i], rb, (size_t)nb, sizeof *rb, by_run) != NULL;
        return shared;
    }
    for (int i = 0, j = 0; i < na && j < nb;) {
        int c = strcmp(ra[i], rb[j]);
        shared += c == 0;
        i += c <= 0;
        j += c >= 0;
    }
    return shared;
}

static int by_key_and_content(const void *a, const void *b)
{
    int c = rg__row_key_compare(&((const struct rg__row *)a)->e, &((const struct rg__row *)b)->e);
    return c ? c : rg__row_compare(a, b);
}

/* Does a compacted row tell of all that `row` tells? Kept rows of its group with more runs stand before it. */
static bool covered(const struct rg__row *kept, int n_kept, const struct rg__row *row)
{
    int n;
    rg__row_runs(&row->e, &n);
    for (int i = n_kept - 1; i >= 0 && group_compare(&kept[i].e, &row->e) == 0; i--)
        if (kept[i].e.n_runs > n && shared_runs(&kept[i].e, &row->e) == n) return true;
    return false;
}

void rg__join_rows(struct rg__link *l)
{
    int kept = 0, compacted = 0;
    if (l->n_rows > 1) qsort(l->rows, (size_t)l->n_rows, sizeof *l->rows, by_key_and_content);
    for (int i = 0; i < l->n_rows; i++) {
        const struct rg__row *r = &l->rows[i];
        bool last = i + 1 == l->n_rows || rg__row_key_compare(&r->e, &l->rows[i + 1].e) != 0;
        if (!last || (compacted > 0 && covered(l->rows, kept, r))) continue; /* the fullest of one key comes last */
        compacted += r->e.n_runs > 0;
        l->rows[kept++] = *r;
    }
    l->n_rows = kept;
}

bool rg__replace_row(struct rg__link *l, struct rg__row row)
{
    for (int i = 0; i < l->n_rows; i++) {
        struct rg__row *old = &l->rows[i];
        if (rg__row_key_compare(&old->e, &row.e) != 0) continue;
        /* the same run done again, on another day perhaps: nothing new */
        if (content_compare(old, &row) == 0 && (*known(old->e.origin.date) || !*known(row.e.origin.date))) return false;
        *old = row;
        return true;
    }
    rg__add_row(l, row);
    rg__join_rows(l);
    return true;
}

void rg__rows_counted(const struct rg_evidence *rows, int n, bool *counted)
{
    /* Rows are sorted, within a group those of most runs first: going down the list is the greedy choice. */
    int first = 0;
    for (int i = 0; i < n; i++) {
        counted[i] = true;
        if (i > first && group_compare(&rows[i], &rows[first]) != 0) first = i;
        if (rows[i].n_runs == 0) continue; /* a single run inside a compacted row was dropped when they met */
        for (int j = first; j < i && counted[i]; j++)
            if (counted[j] && shared_runs(&rows[i], &rows[j]) > 0) counted[i] = false;
    }
}

const char *rg__row_fault(const struct rg_evidence *e)
{
    if (!e->device || !*e->device || !rg__utf8_ok(e->device)) return "\"device\" is empty or not UTF-8";
    if (!e->klass || rg_class_parse(e->klass) < 0) return "\"class\" is no class word";
    if (!e->coder || !*e->coder || !rg__utf8_ok(e->coder)) return "\"coder\" is empty or not UTF-8";
    if (!rg__utf8_ok(program_of(e))) return "\"program\" is not UTF-8";
    int n;
    const char *const *runs = rg__row_runs(e, &n);
    for (int i = 0; i < n; i++) {
        if (!runs[i] || !*runs[i] || !rg__utf8_ok(runs[i])) return "\"run\" is empty or not UTF-8";
        if (i > 0 && strcmp(runs[i - 1], runs[i]) >= 0) return "\"runs\" names a run twice";
    }
    const struct rg_provenance *o = &e->origin;
    if (*known(o->date) && !rg__date_ok(o->date)) return "\"date\" must be like 2026-11-23";
    if (!rg__utf8_ok(known(o->version)) || !rg__utf8_ok(known(o->machine)))
        return "\"version\" or \"machine\" is not UTF-8";
    if (e->refused < 0) return "\"refused\" is negative";
    if (e->told < 0) return "\"told\" is negative";
    if (e->n < (e->refused ? 0 : 1)) return "\"n\" must be at least 1 where nothing was refused";
    if (e->ok < 0 || e->ok > e->n) return "\"ok\" must lie between 0 and \"n\"";
    int64_t left = e->n - e->ok;
    for (int i = 0; i < RG_N_OUTCOMES; i++) {
        if (e->fail[i] < 0) return "a count in \"fail\" is negative";
        if (e->fail[i] > left) return "\"ok\" and the counts in \"fail\" add up to more than \"n\"";
        left -= e->fail[i];
    }
    if (e->fail[RG_OUTCOME_OK]) return "\"fail\" counts \"ok\"";
    if (e->fail[RG_OUTCOME_PRUNED]) return "\"fail\" counts \"pruned\", which is no failure";
    if (e->fail[RG_OUTCOME_REFUSED]) return "\"fail\" counts \"refused\", which is no failure";
    if (e->lead < 0 || e->lead > e->ok || e->lead > n)
        return "\"lead\" must lie between 0 and \"ok\", and the number of runs";
    for (int i = 0; i < e->n_tuned; i++) {
        const struct rg_tuned *t = &e->tuned[i];
        if (!t->name || !*t->name || !rg__utf8_ok(t->name)) return "\"tuned\" holds a name that is empty or not UTF-8";
        if (t->count < 1 || t->count > e->lead) return "a count in \"tuned\" must lie between 1 and \"lead\"";
        if (i > 0 && rg__tuned_compare(t - 1, t) >= 0) return "\"tuned\" is not in order";
    }
    if (e->sumsq < 0) return "\"sumsq\" is negative";
    if (e->ok == 0) {
        if (e->sum || e->sumsq || e->max != INT64_MIN) return "gains are given although \"ok\" is 0";
        return NULL;
    }
    if (e->max == INT64_MIN) return "\"max\" is missing although \"ok\" is not 0";
    if ((__int128)e->max * e->ok < e->sum) return "\"sum\" is more than \"ok\" times \"max\"";
    /* Cauchy-Schwarz, with the half unit that each rounded square may lack. */
    if ((__int128)e->sum * e->sum / 1000000 > ((__int128)e->sumsq + e->ok) * e->ok + e->ok)
        return "\"sumsq\" is too small for this \"sum\"";
    return NULL;
}
