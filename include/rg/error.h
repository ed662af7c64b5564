/* Errors: a status says that the program could not do its work. What becomes of a candidate
 * (does not compile, wrong, hangs) is an outcome (rg/outcome.h): data, never an error. */
#ifndef RG_ERROR_H
#define RG_ERROR_H
#include <rg/decls.h>
#include <stdarg.h>

RG_BEGIN_DECLS

/* name, text, exit code of the programs (design section 8) */
#define RG_STATUS_MAP(X)                                                                                               \
    X(OK, "success", 0)                                                                                                \
    X(USAGE, "wrong usage", 2)                                                                                         \
    X(INPUT, "bad input", 3)                                                                                           \
    X(UNAVAILABLE, "no such device, driver or library", 4)                                                             \
    X(SERVICE, "model service failed", 5)                                                                              \
    X(DEFERRED, "waiting for deferred answers", 7)                                                                     \
    X(NOMEM, "out of memory", 70)                                                                                      \
    X(IO, "input or output failed", 3)                                                                                 \
    X(CANCELED, "canceled", 130)                                                                                       \
    X(LIMIT, "a limit was reached", 70)                                                                                \
    X(BUG, "internal error", 70)

enum rg_status {
#define X(name, text, code) RG_##name,
    RG_STATUS_MAP(X)
#undef X
};

/* Caller-owned, as last argument; NULL is allowed everywhere. The first error wins. */
struct rg_error {
    enum rg_status status;
    char file[256]; /* "" when the error has no place */
    int line;       /* 1-based; 0 unknown */
    int column;     /* 1-based, bytes; 0 unknown */
    char text[1024];
};

#define RG_ERROR_INIT                                                                                                  \
    {                                                                                                                  \
        RG_OK, "", 0, 0, ""                                                                                            \
    }

const char *rg_status_name(enum rg_status s);
const char *rg_status_text(enum rg_status s);
int rg_status_exit(enum rg_status s);

/* Each sets *e unless it already holds an error, and returns `s`, so that
 * `return rg_error_set(err, RG_INPUT, "...")` reads as one statement. */
enum rg_status rg_error_set(struct rg_error *e, enum rg_status s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
enum rg_status rg_error_at(struct rg_error *e, enum rg_status s, const char *file, int line, int column,
                           const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* Puts "prefix: " before the text of an error that is set. */
void rg_error_prefix(struct rg_error *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Another error of the same thing: *e takes it over when it holds none, else it is a further line of its text,
 * "file:line:column: text", where it is not there yet and there is room for all of it. */
void rg_error_also(struct rg_error *e, const struct rg_error *more);
void rg_error_clear(struct rg_error *e);
/* "file:line:column: text" into out (NUL-terminated, cut at size). Returns out. */
char *rg_error_format(const struct rg_error *e, char *out, unsigned long size);
/* {"schema": "regraph-error/1", "error": {"code", "message", "file", "line", "column"}}: code is the status in small
 * letters ("usage", "input",
 * ...), null what is not known. malloc'd. */
char *rg_error_json(const struct rg_error *e);
RG_END_DECLS
#endif
