/* The memory file that the supervisor and its workers share: inputs, expected outputs, programs. It is sparse; the
 * supervisor hands out ranges, workers map them. A worker inherits it as descriptor RG_SHM_FD. */
#ifndef RG_RUNTIME_SHM_H
#define RG_RUNTIME_SHM_H
#include <rg/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RG_SHM_FD = 3, RG_SHM_PAGE = 4096 };

struct rg_range { /* bytes of the file; len 0: nothing */
    int64_t off, len;
};

struct rg_shm { /* the supervisor's side; one thread */
    int fd;
    int64_t end; /* bytes the file has */
    int n_holes, cap_holes;
    struct rg_range *holes; /* free, by offset, never adjacent */
};

enum rg_status rg__shm_create(struct rg_shm *s, struct rg_error *err);
void rg__shm_close(struct rg_shm *s);
/* A page-aligned range that reads as zeros. */
enum rg_status rg__shm_alloc(struct rg_shm *s, int64_t bytes, struct rg_range *out, struct rg_error *err);
/* Gives its memory back to the system. Length 0 is fine. */
void rg__shm_free(struct rg_shm *s, struct rg_range r);

struct rg_mapping {
    void *base; /* of the mapping, page-aligned; NULL: none */
    size_t bytes;
    void *data; /* where the range starts */
};
/* RG_INPUT when the range is not inside the file: a worker must not fault on a bad message. */
enum rg_status rg__shm_map(int fd, struct rg_range r, bool writable, struct rg_mapping *out, struct rg_error *err);
void rg__shm_unmap(struct rg_mapping *m);
/* A text in the memory file: its range ends with a NUL, which is checked. Unmap after use. */
enum rg_status rg__shm_text(int fd, struct rg_range r, struct rg_mapping *m, const char **text, struct rg_error *err);
#endif
