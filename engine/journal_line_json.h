/* An evaluation as a member of a journal line; shared by the writer and the reader. */
#ifndef RG_ENGINE_JOURNAL_LINE_JSON_H
#define RG_ENGINE_JOURNAL_LINE_JSON_H
#include "base/json_util.h"
#include <rg/outcome.h>
#include <rg/regraph.h>

void rg__origin_read(const json_t *run,
                     struct rg_provenance *out);       /* of a line `run`; "" where it says nothing; borrowed */
json_t *rg__tuned_json(const struct rg_evidence *row); /* {"NAME": {"VALUE": count}} */

struct rg__search;
/* Writes a line, or compares it with the one an earlier session wrote. Steals o and clock (NULL: the time alone). */
enum rg_status rg__journal_emit(struct rg__search *s, json_t *o, json_t *clock, struct rg_error *err);
/* Writes `end` (stolen); from here on lines belong to the closing section and are not compared. */
enum rg_status rg__journal_close_section(struct rg__search *s, json_t *end, struct rg_error *err);
enum rg_status rg__line_run(struct rg__search *s, struct rg_error *err);
#endif
