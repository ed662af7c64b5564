/* Training data out of journals: what regraph-replay --export writes. */
#ifndef RG_CMD_REPLAY_EXPORT_H
#define RG_CMD_REPLAY_EXPORT_H
#include <rg/buf.h>
#include <rg/error.h>

enum replay_export { REPLAY_SFT, REPLAY_PREFERENCE, REPLAY_STEPS, N_REPLAY_EXPORTS };
extern const char *const replay_export_words[N_REPLAY_EXPORTS]; /* "sft", "preference", "steps" */
/* JSON lines, each a conversation with where it comes from. record NULL: llm.jsonl beside each journal. split: "train",
 * "test" or NULL both. RG_INPUT, RG_IO. */
enum rg_status replay_export(enum replay_export kind, char *const *journals, int n, const char *record,
                             const char *split, struct rg_buf *out, int *n_lines, struct rg_error *err);
#endif
