/* The graph as its own files see it. In memory it is always in canonical order (steps by id, edges by from and to,
 * rows by key), so that indices, printing and tie-breaks do not depend on the order in a file or of edits. */
#ifndef REGRAPH_INTERNAL_H
#define REGRAPH_INTERNAL_H
#include <rg/arena.h>
#include <rg/regraph.h>

struct rg__member { /* a member this version does not know: kept, printed after the known ones, sorted by key */
    const char *key;
    const char *json; /* one line, keys sorted */
};

struct rg__extra {
    int n;
    struct rg__member *items;
};

struct rg__node {
    struct rg_step step;
    int n_require;
    const char **require; /* as written; parallel to step.tunables.constraints */
    struct rg__extra extra, check_extra, example_extra;
};

struct rg__row {
    struct rg_evidence e;
    struct rg__extra extra;
};

struct rg__link {
    struct rg_edge edge; /* edge.evidence: a flat copy of rows, made by rg__regraph_settle */
    struct rg__row *rows;
    int n_rows, cap_rows;
    struct rg_evidence *flat;
    struct rg__extra extra;
};

struct rg_regraph {
    struct rg_arena arena; /* strings, steps' inside; grows with edits, freed with the graph */
    const char *name;
    struct rg__extra extra;
    int n_baseline;
    struct rg_baseline_chain *baseline; /* the arena's */
    int n_removals, cap_removals;
    struct rg_removal *removals; /* sorted; strings the arena's */
    const char *author, *date;   /* of edits to come; NULL unsigned */
    int n_nodes, cap_nodes;
    struct rg__node *nodes;
    int n_links, cap_links;
    struct rg__link *links;
    int *out;       /* edge indices grouped by source; settled */
    int *out_start; /* n_nodes + 2: of source s at s + 1 */
};

/* Sorts, flattens and freezes after any change. Cost O(V log V + E log E + rows). */
void rg__regraph_settle(struct rg_regraph *g);
struct rg_regraph *rg__new(const char *name);
/* The same with one step gone: its edges too. */
void rg__drop_node(struct rg_regraph *g, int index);
/* ---- removals.c ---- */
void rg__removed_step(struct rg_regraph *g, const char *id, const char *now);
void rg__removed_edge(struct rg_regraph *g, const char *from, const char *to);
/* What is there again was not removed. */
void rg__removal_forget(struct rg_regraph *g, const char *step, const char *from, const char *to);
bool rg__is_removed_step(const struct rg_regraph *g, const char *id);
bool rg__is_removed_edge(const struct rg_regraph *g, const char *from, const char *to);
void rg__add_removal(struct rg_regraph *g, const struct rg_removal *r); /* copied; one that is there stays */
void rg__copy_removals(struct rg_regraph *to, const struct rg_regraph *from);
int rg__removal_compare(const void *a, const void *b);
/* ---- baseline.c ---- */
void rg__copy_baseline(struct rg_regraph *to, const struct rg_regraph *from);
bool rg__same_baseline(const struct rg_regraph *a, const struct rg_regraph *b);
void rg__baseline_rename(struct rg_regraph *g, const char *step, const char *now);
void rg__baseline_without(struct rg_regraph *g, const char *step); /* chains that need it go, too */

void rg__drop_link(struct rg_regraph *g, int index);
/* Deep copies into g's arena, unsettled; from, to: indices in g. */
void rg__copy_node(struct rg_regraph *g, const struct rg__node *n);
struct rg__link *rg__copy_link(struct rg_regraph *g, const struct rg__link *l, int from, int to);
struct rg__extra rg__copy_extra(struct rg_arena *a, const struct rg__extra *x);
struct rg__row rg__copy_row(struct rg_arena *a, const struct rg__row *r);
void rg__add_row(struct rg__link *l, struct rg__row row);
void rg__reserve_rows(struct rg__link *l, int more);       /* exactly: most edges have a row or two for good */
const char *rg__id(const struct rg_regraph *g, int index); /* "@start" for -1 */

/* --- evidence.c --- */
/* By (device, class, coder, run, runs): 0 for the same key. */
int rg__row_key_compare(const struct rg_evidence *a, const struct rg_evidence *b);
/* Total order on content: the greater of two rows with one key is the one that a union keeps. */
int rg__row_compare(const struct rg__row *a, const struct rg__row *b);
int rg__tuned_compare(const void *x, const void *y); /* two struct rg_tuned, by name and value */
/* Puts rows that were just added into canonical form: sorted, of one key the fullest, none whose runs a compacted row
 * tells of. An exact union: idempotent, and the order of adding does not matter. O(rows log rows + rows * compacted).
 */
void rg__join_rows(struct rg__link *l);
/* Learning's way: a row with the same key gives way, whatever it says. False when nothing changed. */
bool rg__replace_row(struct rg__link *l, struct rg__row row);
/* What is wrong with a row's numbers or words, NULL when nothing is. */
const char *rg__row_fault(const struct rg_evidence *e);
/* counted[i]: row i speaks for runs that no row counted before it does. Only compacted rows of different origin can
 * overlap: then the one of more runs speaks. */
void rg__rows_counted(const struct rg_evidence *rows, int n, bool *counted);
/* Which of two tellings of one run with equal figures stays: the one that knows more of where it was made. */
int rg__origin_compare(const struct rg_provenance *a, const struct rg_provenance *b);
/* Of one (device, class, coder)? */
bool rg__same_group(const struct rg_evidence *a, const struct rg_evidence *b);
/* Its run ids: `runs`, or the one `run`. */
const char *const *rg__row_runs(const struct rg_evidence *e, int *n);

/* --- checks shared by loader and edits --- */
bool rg__id_ok(const char *id);
bool rg__utf8_ok(const char *s);
bool rg__date_ok(const char *s); /* 2026-11-23 */
/* NULL when fine, else what prior and confidence may be. */
const char *rg__opinion_fault(double prior, double confidence);
/* RG_INPUT when the tunables' default vector breaks a constraint or a constraint names what is no tunable. */
enum rg_status rg__tunables_check(const struct rg_tunables *t, struct rg_error *err);

/* --- load_json.c --- */
enum rg_status rg__parse_step(struct rg_regraph *g, const char *text, size_t len, const char *name,
                              struct rg_buf *notes, struct rg_error *err);
/* Canonical text of one step. */
void rg__print_step(struct rg_buf *b, const struct rg__node *n);
void rg__print_edge(struct rg_buf *b, const struct rg_regraph *g, const struct rg__link *l, bool evidence);
void rg__print_opinions(const struct rg_regraph *g, struct rg_buf *out); /* all but what runs saw */
#endif
