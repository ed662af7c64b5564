/* The journal of a run: append-only JSON lines (docs/journal.md). While lines of an earlier session are left, the
 * engine's lines are compared with them instead of written: a resumed search is the same search. */
#ifndef RG_ENGINE_JOURNAL_H
#define RG_ENGINE_JOURNAL_H
#include <rg/regraph.h>
#include <rg/search.h>

struct rg__journal;
struct rg__search;
struct rg__action;

/* Lines of a journal, closing sections that a later session superseded left out. */
struct rg__old_line {
    char *stable; /* text without its clock member; owned */
    void *json;   /* json_t, one reference */
    int number;   /* in the file, from 1 */
};
struct rg__old_lines {
    int n, cap;
    struct rg__old_line *items;
    size_t bytes; /* up to the end of the last whole line */
    bool closed;  /* the last section is a closing one */
    int n_body;   /* lines before it */
    double clock; /* of the last line, s */
};
/* A last line without its newline is left out (the program was killed while writing it); anything else that is no
 * journal line is RG_INPUT with file:line. `items` is released in every case by rg__old_lines_release. */
enum rg_status rg__old_lines_parse(const char *text, size_t len, const char *name, struct rg__old_lines *out,
                                   struct rg_error *err);
void rg__old_lines_release(struct rg__old_lines *l);
/* rg_journal_evidence on text. */
enum rg_status rg__journal_evidence_text(const char *text, size_t len, const char *name, const struct rg_regraph *g,
                                         struct rg_search_row **rows, int *n, struct rg_error *err);

/* options .journal and .resume decide; *out NULL when there is no journal. The run id of a resumed journal wins:
 * *run_id points into the journal. */
enum rg_status rg__journal_open(struct rg__search *s, struct rg_error *err);
/* Nothing more is written: the run is resumed from its last line. NULL: no journal. */
void rg__journal_stop(struct rg__journal *j);
/* fsync and close. */
void rg__journal_close(struct rg__journal *j);
bool rg__journal_replaying(const struct rg__journal *j);
/* The action that the next line of an earlier session is about; -1: none is left, or it is about none. */
int64_t rg__journal_next_action(const struct rg__journal *j);
/* An earlier version began it: traits are a mask of bits there, and its lines are compared as text. */
bool rg__journal_traits_as_bits(const struct rg__journal *j);
double rg__journal_clock(const struct rg__journal *j); /* seconds spent in earlier sessions */

/* Answers of earlier sessions. */
bool rg__journal_answer(const struct rg__journal *j, uint32_t action, struct rg_answer *out); /* failures only */
bool rg__journal_eval(const struct rg__journal *j, uint32_t action, int k, struct rg_evaluation *out);
bool rg__journal_again(const struct rg__journal *j, uint32_t action, int k, struct rg_evaluation *out);
bool rg__journal_duel(const struct rg__journal *j, uint32_t action, int k, struct rg_duel *out);
/* False: the journal does not say, or there is none. */
bool rg__journal_counters(const struct rg__journal *j, uint32_t action, int k, struct rg_counter *out, int *n);

/* A line each; all do nothing without a journal. */
enum rg_status rg__line_action(struct rg__search *s, const struct rg__action *a, struct rg_error *err);
enum rg_status rg__line_answer(struct rg__search *s, const struct rg__action *a, struct rg_error *err);
enum rg_status rg__line_eval(struct rg__search *s, const struct rg__action *a, int k, struct rg_error *err);
enum rg_status rg__line_result(struct rg__search *s, const struct rg__action *a, bool fresh, bool noop, bool credit,
                               enum rg_outcome outcome, struct rg_error *err);
enum rg_status rg__line_again(struct rg__search *s, const struct rg__action *a, int k, struct rg_error *err);
enum rg_status rg__line_duel(struct rg__search *s, const struct rg__action *a, int k, const struct rg_duel *d,
                             struct rg_error *err);
enum rg_status rg__line_counters(struct rg__search *s, const struct rg__action *a, int k, const struct rg_source *src,
                                 const struct rg_counter *c, int n, struct rg_error *err);
enum rg_status rg__line_settled(struct rg__search *s, const struct rg__action *a, struct rg_error *err);
enum rg_status rg__line_naive(struct rg__search *s, struct rg_error *err);
/* Opens the closing section: what follows is derived, and is replaced when the run is resumed. */
enum rg_status rg__line_end(struct rg__search *s, struct rg_error *err);
enum rg_status rg__line_evidence(struct rg__search *s, const struct rg_search_row *row, struct rg_error *err);
enum rg_status rg__line_final(struct rg__search *s, struct rg_error *err);

/* Replaces bytes that are not UTF-8 by '?': what a compiler or a model prints must fit into JSON, and be the same
 * after a resume. */
void rg__utf8_clean(char *s);
#endif
