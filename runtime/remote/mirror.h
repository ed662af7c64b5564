/* Ranges of a memory file copied to its twin on another machine: only pieces that differ from what was sent travel.
 * A frame is a line "#bytes OFFSET LENGTH", the bytes, a newline, or a line "#size LENGTH" (the file is at least so
 * long); the messages of the protocol, all JSON objects, pass between frames as they are. Internal. */
#ifndef RG_RUNTIME_MIRROR_H
#define RG_RUNTIME_MIRROR_H
#include "runtime/os/shm.h"
#include <rg/buf.h>

struct rg_mirrored { /* one range, in pieces */
    struct rg_range at;
    uint64_t *sums; /* of each piece as the twin has it; 0 unknown */
};

struct rg_mirror { /* all zeros: nothing was sent; one thread */
    int shm;
    int64_t touched; /* bytes beyond were never written at the twin: they are zeros there */
    int n, cap;
    struct rg_mirrored *ranges;
    int64_t sent; /* bytes, so far */
};

void rg__mirror_release(struct rg_mirror *m);
/* Writes to `fd` frames for what the twin lacks of the range. RG_IO: the other side is gone. Cost: reads and hashes it
 * all. */
enum rg_status rg__mirror_send(struct rg_mirror *m, struct rg_range r, int fd, struct rg_error *err);
/* Notes the range as it is here as what the twin has. */
enum rg_status rg__mirror_note(struct rg_mirror *m, struct rg_range r, struct rg_error *err);

/* What comes in: lines, and bytes of frames, which go into the memory file at once. */
struct rg_stream {
    int fd;
    bool eof;
    struct rg_buf buf;
    int64_t off, left; /* of the frame that is being read; left 0: none */
    bool newline;      /* the one behind a frame is to come */
};

/* Takes what can be read now; false: nothing more will come. */
bool rg__stream_fill(struct rg_stream *s);
/* The next line, malloc'd, without its newline; NULL: none yet. Frames before it are written to the memory file, which
 * grows where `grow`; `allowed`: where they may go (n of them; NULL: anywhere). RG_INPUT: the other side speaks
 * nonsense. */
enum rg_status rg__stream_line(struct rg_stream *s, int shm, bool grow, const struct rg_range *allowed, int n_allowed,
                               char **line, struct rg_error *err);
/* All of it; RG_IO: nobody reads. */
enum rg_status rg__stream_write(int fd, const void *data, size_t n, struct rg_error *err);
#endif
