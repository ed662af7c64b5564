/* The loader's own state, shared by load_json.c and load_step_json.c. */
#ifndef REGRAPH_LOADER_H
#define REGRAPH_LOADER_H
#include "base/json_util.h"
#include "regraph/internal.h"

/* Where in the document the loader is, so that what is wrong in meaning is told with line and column. */
struct rg__place {
    const struct rg__place *up; /* NULL: the document */
    const char *key;            /* NULL: element `index` */
    int index;
};

struct rg__loader {
    struct rg_regraph *g;
    const char *text, *file;
    size_t len;
    struct rg_error *err;
    struct rg_buf *notes; /* NULL: nobody asks */
};

/* The graph of a document, which was read from `text`. Errors as rg_regraph_parse. */
enum rg_status rg__graph_of_json(const json_t *doc, const char *text, size_t len, const char *name,
                                 struct rg_buf *notes, struct rg_regraph **out, struct rg_error *err);

/* RG_INPUT at the value `at`; where `key` is given, at that member of it (at `at` itself when it is missing). */
enum rg_status rg__graph_load_fail(struct rg__loader *l, const struct rg__place *at, const char *key, const char *fmt,
                                   ...) __attribute__((format(printf, 4, 5)));

/* Members with their types; strings are copied into the graph. Missing ones leave *out alone unless `needed`. */
enum rg_status rg__graph_load_text(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   bool needed, const char **out);
enum rg_status rg__graph_load_real(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   bool needed, double *out);
enum rg_status rg__graph_load_int(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                  bool needed, int64_t *out);
/* NULL in *out when the member is missing. */
enum rg_status rg__graph_load_array(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                    bool needed, json_t **out);
enum rg_status rg__graph_load_object(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                     json_t **out);
/* Members of o that are not among the known ones, sorted, as text; noted. `at`: where o is. */
struct rg__extra rg__graph_load_extra(struct rg__loader *l, const struct rg__place *at, const json_t *o,
                                      const char *const *known, int n_known);
/* A line in `notes`, about member `key` of the value `at`. */
void rg__graph_load_note(struct rg__loader *l, const struct rg__place *at, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* "KEY must be WHAT" at that member. */
enum rg_status rg__graph_load_mistyped(struct rg__loader *l, const struct rg__place *at, const char *key,
                                       const char *what);
/* The list of an edge's rows into link. */
enum rg_status rg__graph_load_rows(struct rg__loader *l, const struct rg__place *at, const json_t *list,
                                   struct rg__link *link);

/* The document's baseline into g; its steps are there and settled. */
enum rg_status rg__graph_load_baseline(struct rg__loader *l, const json_t *doc);

/* What was removed; steps and edges are there. */
enum rg_status rg__graph_load_removals(struct rg__loader *l, const json_t *doc);
enum rg_status rg__graph_load_flag(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   bool *out);
/* A member that is a date. */
enum rg_status rg__graph_load_date(struct rg__loader *l, const struct rg__place *at, const json_t *o, const char *key,
                                   const char **out);

/* One step object into g->nodes (unsettled). */
enum rg_status rg__graph_load_step(struct rg__loader *l, const struct rg__place *at, const json_t *o);

#define RG__TRY(call)                                                                                                  \
    do {                                                                                                               \
        enum rg_status s_ = (call);                                                                                    \
        if (s_ != RG_OK) return s_;                                                                                    \
    } while (0)
#endif
