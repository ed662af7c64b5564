/* An append-only file of texts, each compressed by itself: gzip members one after the other, so that `zcat` shows all
 * of it and a file cut by a crash holds all but its last text. */
#ifndef RG_PACK_H
#define RG_PACK_H
#include <rg/decls.h>
#include <rg/error.h>
#include <stddef.h>

RG_BEGIN_DECLS

struct rg_pack;
/* Made where missing, else continued. RG_IO. */
enum rg_status rg_pack_open(const char *path, struct rg_pack **out, struct rg_error *err);
enum rg_status rg_pack_add(struct rg_pack *p, const char *text, size_t len, struct rg_error *err);
void rg_pack_close(struct rg_pack *p); /* NULL is fine */
/* All texts one after the other; NUL-terminated, caller frees. What is cut at the end is left out. RG_IO, RG_INPUT: no
 * such file. */
enum rg_status rg_pack_read(const char *path, char **text, size_t *len, struct rg_error *err);
RG_END_DECLS
#endif
