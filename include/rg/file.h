/* Files as wholes. */
#ifndef RG_FILE_H
#define RG_FILE_H
#include <rg/decls.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stddef.h>

RG_BEGIN_DECLS

/* Reads a whole file (at most max bytes, 0: 1 GiB) into *data (caller frees, NUL after the end). */
enum rg_status rg_file_read(const char *path, size_t max, char **data, size_t *len, struct rg_error *err);
/* Writes beside `path`, fsyncs, renames: readers see the old or the new content, never a part; when the disk is
 * full the old file survives. */
enum rg_status rg_file_write(const char *path, const void *data, size_t len, struct rg_error *err);
/* The same without waiting for the disk: for what is written often and can be made again. */
enum rg_status rg_file_replace(const char *path, const void *data, size_t len, struct rg_error *err);
/* rg_file_write where there is no such file yet; *made false: there is one, and it stays. Of many at once one makes it.
 */
enum rg_status rg_file_create(const char *path, const void *data, size_t len, bool *made, struct rg_error *err);
/* 16 digits that no other process has, on this machine or another that shares the folder: for temporary names. */
void rg_file_unique(char out[17]);
/* mkdir -p, mode 0777 & ~umask. */
enum rg_status rg_file_mkdirs(const char *path, struct rg_error *err);
bool rg_file_exists(const char *path);
/* Advisory exclusive lock on `path`.lock, waited for at most `seconds`. *fd is closed by rg_file_unlock. */
enum rg_status rg_file_lock(const char *path, double seconds, int *fd, struct rg_error *err);
void rg_file_unlock(int fd);
double rg_now(void); /* monotonic seconds */
RG_END_DECLS
#endif
