/* Union of two graphs, and folding of runs. */
#include "regraph/internal.h"

#include <rg/regraph_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- differences between two opinions of the same thing --- */

static void note(struct rg_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void note(struct rg_buf *b, const char *fmt, ...)
{
    if (!b) return;
    va_list ap;
    va_start(ap, fmt);
    rg_buf_vprintf(b, fmt, ap);
    va_end(ap);
    rg_buf_char(b, '\n');
}

static bool same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_step(const struct rg__node *x, const struct rg__node *y)
{
    const struct rg_step *a = &x->step, *b = &y->step;
    bool same = same_text(a->title, b->title) && same_text(a->category, b->category) && a->when == b->when &&
                a->limiters == b->limiters && a->once == b->once && a->needs == b->needs &&
                same_text(a->poly, b->poly) && same_text(a->hint, b->hint) &&
                same_text(a->precondition, b->precondition) && same_text(a->check_pattern, b->check_pattern) &&
                a->check_change == b->check_change && a->never == b->never &&
                same_text(a->example_before, b->example_before) && same_text(a->example_after, b->example_after) &&
                same_text(a->source, b->source) && a->tunables.n == b->tunables.n && x->n_require == y->n_require;
    for (int i = 0; same && i < x->n_require; i++) same = same_text(x->require[i], y->require[i]);
    for (int i = 0; same && i < a->tunables.n; i++) {
        const struct rg_tunable *s = &a->tunables.items[i], *t = &b->tunables.items[i];
        same = same_text(s->name, t->name) && s->n_values == t->n_values && s->start == t->start &&
               memcmp(s->values, t->values, (size_t)s->n_values * sizeof *s->values) == 0;
    }
    return same;
}

/* Members g lacks are taken over; of two values of one, g's stays. */
static void merge_extra(struct rg_arena *a, struct rg__extra *mine, const struct rg__extra *other, const char *where,
                        struct rg_buf *notes)
{
    struct rg__extra r = {0, NULL};
    if (other->n == 0) return;
    r.items = rg_arena_alloc(a, (size_t)(mine->n + other->n) * sizeof *r.items);
    for (int i = 0, j = 0; i < mine->n || j < other->n;) {
        int c = i >= mine->n ? 1 : j >= other->n ? -1 : strcmp(mine->items[i].key, other->items[j].key);
        if (c == 0 && strcmp(mine->items[i].json, other->items[j].json) != 0)
            note(notes, "%s: member \"%s\" kept as it was", where, mine->items[i].key);
        if (c <= 0)
            r.items[r.n++] = mine->items[i];
        else
            r.items[r.n++] =
                (struct rg__member){rg_arena_strdup(a, other->items[j].key), rg_arena_strdup(a, other->items[j].json)};
        i += c <= 0;
        j += c >= 0;
    }
    *mine = r;
}

static void merge_step(struct rg_regraph *g, int mine, const struct rg__node *theirs, struct rg_buf *notes)
{
    struct rg__node *n = &g->nodes[mine];
    char where[128];
    snprintf(where, sizeof where, "step %s", n->step.id);
    if (!same_step(n, theirs)) note(notes, "%s: kept as it was, the other graph's differs", where);
    merge_extra(&g->arena, &n->extra, &theirs->extra, where, notes);
    if (n->step.check_pattern) merge_extra(&g->arena, &n->check_extra, &theirs->check_extra, where, notes);
    if (n->step.example_before) merge_extra(&g->arena, &n->example_extra, &theirs->example_extra, where, notes);
}

static void merge_edge(struct rg_regraph *g, struct rg__link *mine, const struct rg__link *theirs, const char *where,
                       struct rg_buf *notes)
{
    const struct rg_edge *a = &mine->edge, *b = &theirs->edge;
    if (a->prior != b->prior || a->confidence != b->confidence)
        note(notes, "%s: kept prior %.15g, confidence %.15g; the other graph has %.15g, %.15g", where, a->prior,
             a->confidence, b->prior, b->confidence);
    if (a->never != b->never)
        note(notes, "%s: kept %s\"never\", the other graph's differs", where, a->never ? "" : "without ");
    if (!same_text(a->note, b->note)) note(notes, "%s: kept its note, the other graph's differs", where);
    merge_extra(&g->arena, &mine->extra, &theirs->extra, where, notes);
    rg__reserve_rows(mine, theirs->n_rows);
    for (int i = 0; i < theirs->n_rows; i++) rg__add_row(mine, rg__copy_row(&g->arena, &theirs->rows[i]));
    rg__join_rows(mine);
}

static const struct rg__link *link_of(const struct rg_regraph *g, const char *from, const char *to)
{
    int f = from ? rg_regraph_find(g, from) : -1, t = rg_regraph_find(g, to),
        e = (from && f < 0) || t < 0 ? -1 : rg_regraph_find_edge(g, f, t);
    return e < 0 ? NULL : &g->links[e];
}

static bool same_opinion(const struct rg_edge *a, const struct rg_edge *b)
{
    return a->prior == b->prior && a->confidence == b->confidence && a->never == b->never &&
           same_text(a->note, b->note);
}

void rg_regraph_renew(struct rg_regraph *g, const struct rg_regraph *then, const struct rg_regraph *now, int *steps)
{
    *steps = 0;
    if (rg__same_baseline(g, then)) {
        rg__copy_baseline(g, now);
        for (int i = 0; i < now->n_nodes; i++)
            if (rg_regraph_find(g, now->nodes[i].step.id) < 0) rg__baseline_without(g, now->nodes[i].step.id);
    }
    for (int i = 0; i < g->n_nodes; i++) {
        int t = rg_regraph_find(then, g->nodes[i].step.id), n = rg_regraph_find(now, g->nodes[i].step.id);
        if (t < 0 || n < 0 || !same_step(&g->nodes[i], &then->nodes[t]) || same_step(&then->nodes[t], &now->nodes[n]))
            continue;
        rg__copy_node(g, &now->nodes[n]);
        struct rg__node renewed = g->nodes[--g->n_nodes];
        renewed.extra = g->nodes[i].extra; /* what this version does not know is the user's */
        g->nodes[i] = renewed;
        ++*steps;
    }
    for (int i = 0; i < g->n_links; i++) {
        struct rg_edge *e = &g->links[i].edge;
        const char *from = e->from < 0 ? NULL : g->nodes[e->from].step.id, *to = g->nodes[e->to].step.id;
        const struct rg__link *t = link_of(then, from, to), *n = link_of(now, from, to);
        if (!t || !n || !same_opinion(e, &t->edge)) continue;
        e->prior = n->edge.prior;
        e->confidence = n->edge.confidence;
        e->never = n->edge.never;
        e->note = n->edge.note ? rg_arena_strdup(&g->arena, n->edge.note) : NULL;
        e->author = n->edge.author ? rg_arena_strdup(&g->arena, n->edge.author) : NULL;
        e->date = n->edge.date ? rg_arena_strdup(&g->arena, n->edge.date) : NULL;
    }
}

/* The other's new names of steps become this graph's, so that one step does not stand there twice. */
static void take_names(struct rg_regraph *g, const struct rg_regraph *other, struct rg_buf *notes)
{
    for (int i = 0; i < other->n_removals; i++) {
        const struct rg_removal *r = &other->removals[i];
        if (!r->now || rg_regraph_find(g, r->step) < 0 || rg_regraph_find(other, r->now) < 0) continue;
        if (rg_regraph_rename(g, r->step, r->now, NULL) == RG_OK)
            note(notes, "step %s: is now %s, as in the other graph", r->step, r->now);
    }
}

/* What the other took out and this graph never had stays out; what this graph has stays. */
static void take_removals(struct rg_regraph *g, const struct rg_regraph *other, struct rg_buf *notes)
{
    for (int i = 0; i < other->n_removals; i++) {
        const struct rg_removal *r = &other->removals[i];
        int f = r->step || !strcmp(r->from, "@start") ? -1 : rg_regraph_find(g, r->from);
        int t = rg_regraph_find(g, r->step ? r->step : r->to);
        bool there =
            r->step ? t >= 0 : t >= 0 && (f >= 0 || !strcmp(r->from, "@start")) && rg_regraph_find_edge(g, f, t) >= 0;
        if (!there)
            rg__add_removal(g, r);
        else if (r->step)
            note(notes, "step %s: kept, the other graph removed it", r->step);
        else
            note(notes, "edge %s -> %s: kept, the other graph removed it", r->from, r->to);
    }
}

static void merge_steps(struct rg_regraph *g, const struct rg_regraph *other, struct rg_buf *notes)
{
    bool *add = rg_xcalloc((size_t)other->n_nodes + 1, sizeof *add);
    for (int i = 0; i < other->n_nodes; i++) {
        const char *id = rg_regraph_now(g, other->nodes[i].step.id);
        int mine = rg_regraph_find(g, id);
        if (mine >= 0)
            merge_step(g, mine, &other->nodes[i], notes);
        else if (rg__is_removed_step(g, other->nodes[i].step.id))
            note(notes, "step %s: was removed here, and stays so", other->nodes[i].step.id);
        else
            add[i] = true;
    }
    for (int i = 0; i < other->n_nodes; i++)
        if (add[i]) rg__copy_node(g, &other->nodes[i]);
    free(add);
    rg__regraph_settle(g);
}

enum rg_status rg_regraph_merge(struct rg_regraph *g, const struct rg_regraph *other, struct rg_buf *notes,
                                struct rg_error *err)
{
    if (g == other) return RG_OK;
    if (strcmp(g->name, other->name) != 0)
        note(notes, "graph: kept name '%s', the other is '%s'", g->name, other->name);
    merge_extra(&g->arena, &g->extra, &other->extra, "graph", notes);
    take_names(g, other, notes);
    bool copied_baseline = !g->n_baseline;
    if (copied_baseline)
        rg__copy_baseline(g, other);
    else if (other->n_baseline && !rg__same_baseline(g, other))
        note(notes, "graph: kept its baseline, the other's differs");
    merge_steps(g, other, notes);
    if (copied_baseline)
        for (int i = 0; i < other->n_nodes; i++)
            if (rg_regraph_find(g, other->nodes[i].step.id) < 0) rg__baseline_without(g, other->nodes[i].step.id);
    for (int i = 0; i < other->n_links; i++) {
        const struct rg__link *l = &other->links[i];
        const char *old_from = rg__id(other, l->edge.from), *old_to = rg__id(other, l->edge.to);
        const char *from = rg_regraph_now(g, old_from), *to = rg_regraph_now(g, old_to);
        int f = l->edge.from < 0 ? -1 : rg_regraph_find(g, from), t = rg_regraph_find(g, to);
        if (t < 0 || (f < 0 && l->edge.from >= 0)) continue; /* of a step that was removed here */
        int mine = rg_regraph_find_edge(g, f, t);
        char where[192];
        snprintf(where, sizeof where, "edge %s -> %s", from, to);
        if (mine >= 0) {
            merge_edge(g, &g->links[mine], l, where, notes);
        } else if (rg__is_removed_edge(g, from, to)) {
            note(notes, "%s: was removed here, and stays so", where);
        } else {
            rg__copy_link(g, l, f, t); /* edges of other are distinct: the frozen look-up stays right */
            if (from != old_from || to != old_to) rg__regraph_settle(g); /* but under new names they may not be */
        }
    }
    rg__regraph_settle(g);
    take_removals(g, other, notes);
    return RG_OK;
}

/* --- compaction --- */

static bool add_to(int64_t *sum, int64_t x)
{
    return !__builtin_add_overflow(*sum, x, sum);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The counts of `more`, added to those of `e`; a new array in the arena. */
static bool add_tuned(struct rg_arena *a, struct rg_evidence *e, const struct rg_evidence *more)
{
    if (more->n_tuned == 0) return true;
    struct rg_tuned *t = rg_arena_alloc(a, (size_t)(e->n_tuned + more->n_tuned) * sizeof *t);
    bool fits = true;
    int n = 0;
    for (int i = 0, j = 0; i < e->n_tuned || j < more->n_tuned;) {
        int c = i >= e->n_tuned ? 1 : j >= more->n_tuned ? -1 : rg__tuned_compare(&e->tuned[i], &more->tuned[j]);
        t[n] = c <= 0 ? e->tuned[i] : more->tuned[j];
        if (c == 0) fits = fits && add_to(&t[n].count, more->tuned[j].count);
        n++;
        i += c <= 0;
        j += c >= 0;
    }
    e->tuned = t;
    e->n_tuned = n;
    return fits;
}

/* Of several runs: the latest day, and the version and machine that all of them have. */
static struct rg_provenance common_origin(const struct rg__row *rows, const bool *counted, int first, int last)
{
    struct rg_provenance o = {0};
    bool any = false;
    for (int i = first; i < last; i++) {
        if (!counted[i]) continue;
        const struct rg_provenance *r = &rows[i].e.origin;
        if (!any) o = *r;
        if (r->date && (!o.date || strcmp(o.date, r->date) < 0)) o.date = r->date;
        if (any && !same_text(o.version, r->version)) o.version = NULL;
        if (any && !same_text(o.machine, r->machine)) o.machine = NULL;
        any = true;
    }
    return o;
}

/* Rows [first, last) are of one group; those counted become one. */
static bool fold(struct rg_arena *a, const struct rg__row *rows, const bool *counted, int first, int last,
                 struct rg__row *out)
{
    int n_runs = 0, n;
    for (int i = first; i < last; i++)
        if (counted[i]) {
            rg__row_runs(&rows[i].e, &n);
            n_runs += n;
        }
    struct rg_evidence e = rows[first].e;
    e.run = "";
    e.runs = rg_arena_alloc(a, (size_t)n_runs * sizeof *e.runs);
    e.n_runs = 0;
    e.origin = common_origin(rows, counted, first, last);
    e.n = e.ok = e.sum = e.sumsq = e.told = e.lead = e.refused = 0;
    e.n_tuned = 0;
    e.tuned = NULL;
    e.max = INT64_MIN;
    memset(e.fail, 0, sizeof e.fail);
    bool fits = true;
    for (int i = first; i < last; i++) {
        if (!counted[i]) continue;
        const struct rg_evidence *r = &rows[i].e;
        const char *const *runs = rg__row_runs(r, &n);
        for (int k = 0; k < n; k++) e.runs[e.n_runs++] = runs[k];
        fits =
            fits && add_to(&e.n, r->n) && add_to(&e.ok, r->ok) && add_to(&e.sum, r->sum) && add_to(&e.sumsq, r->sumsq);
        fits = fits && add_to(&e.refused, r->refused) && add_to(&e.told, r->told) && add_to(&e.lead, r->lead) &&
               add_tuned(a, &e, r);
        for (int k = 0; k < RG_N_OUTCOMES; k++) fits = fits && add_to(&e.fail[k], r->fail[k]);
        if (r->max > e.max) e.max = r->max;
        merge_extra(a, &out->extra, &rows[i].extra, "row", NULL);
    }
    qsort(e.runs, (size_t)e.n_runs, sizeof *e.runs, by_text);
    out->e = e;
    return fits;
}

static bool compact_link(struct rg_arena *a, struct rg__link *l)
{
    struct rg__link folded = {0};
    bool *counted = rg_xcalloc((size_t)l->n_rows + 1, sizeof *counted), fits = true;
    rg__rows_counted(l->flat, l->n_rows, counted);
    for (int first = 0, last; first < l->n_rows && fits; first = last) {
        int n_counted = 0;
        for (last = first; last < l->n_rows && rg__same_group(&l->rows[first].e, &l->rows[last].e); last++)
            n_counted += counted[last];
        if (n_counted > 1) {
            struct rg__row row = {{0}, {0, NULL}};
            fits = fold(a, l->rows, counted, first, last, &row);
            rg__add_row(&folded, row);
        }
        for (int i = first; i < last; i++)
            if (n_counted == 1 || !counted[i]) rg__add_row(&folded, l->rows[i]);
    }
    free(counted);
    rg__join_rows(&folded);
    struct rg__row *old = fits ? l->rows : folded.rows;
    if (fits) {
        l->rows = folded.rows;
        l->n_rows = folded.n_rows;
        l->cap_rows = folded.cap_rows;
    }
    free(old);
    return fits;
}

enum rg_status rg_regraph_compact(struct rg_regraph *g, int *n_before, int *n_after, struct rg_error *err)
{
    *n_before = *n_after = 0;
    struct rg_regraph *whole = rg_regraph_clone(g); /* all edges or none */
    bool fits = true;
    for (int i = 0; i < g->n_links && fits; i++) {
        *n_before += g->links[i].n_rows;
        fits = compact_link(&whole->arena, &whole->links[i]);
        *n_after += whole->links[i].n_rows;
    }
    if (fits) {
        rg__regraph_settle(whole);
        rg_regraph_swap(g, whole);
    }
    rg_regraph_free(whole);
    return fits ? RG_OK : rg_error_set(err, RG_LIMIT, "the sums of the evidence no longer fit 64 bits");
}
