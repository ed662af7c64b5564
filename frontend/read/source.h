/* Preprocessed C text: tokens, line markers, pragmas. Offsets are bytes into .text. */
#ifndef RG_FRONTEND_SOURCE_H
#define RG_FRONTEND_SOURCE_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum rg__tok_kind { RG__TOK_IDENT, RG__TOK_NUMBER, RG__TOK_STRING, RG__TOK_CHAR, RG__TOK_PUNCT };

struct rg__tok {
    uint32_t at, len;
    enum rg__tok_kind kind;
};

struct rg__mark { /* from `at` on (a line's start), lines count from `line` of `file` */
    uint32_t at;
    const char *file;
    int line;
    bool system; /* a system header or the compiler's own */
};

struct rg__pragma_line {
    uint32_t at;      /* of the '#' */
    const char *text; /* what follows "#pragma", one line, NUL-terminated */
    int column;       /* of text in its line, from 1 */
};

struct rg__source {
    struct rg_arena arena;
    char *text; /* NUL-terminated, owned */
    size_t len;
    int n_toks, cap_toks;
    struct rg__tok *toks;
    int n_marks, cap_marks;
    struct rg__mark *marks;
    int n_pragmas, cap_pragmas;
    struct rg__pragma_line *pragmas;
};

/* Takes `text` (malloc'd). Never fails: what is no C token becomes a one-byte PUNCT. */
void rg__source_init(struct rg__source *s, char *text, size_t len);
void rg__source_release(struct rg__source *s);
/* short_choices.c: each `a ?: b` of an a that only has a value becomes `a ? (a) : b`, in its line. */
void rg__whole_choices(struct rg__source *s);

/* Index of the first token at or after the offset; n_toks when there is none. */
int rg__tok_from(const struct rg__source *s, uint32_t at);
bool rg__tok_is(const struct rg__source *s, int tok, const char *spelling);
char *rg__tok_text(const struct rg__source *s, int tok, struct rg_arena *a);

struct rg__place {
    const char *file;
    int line, column;
    bool system;
};
struct rg__place rg__source_place(const struct rg__source *s, uint32_t at);
/* The text of [from, to) with line markers and pragmas dropped, blanks kept where tokens need them. */
void rg__source_slice(const struct rg__source *s, uint32_t from, uint32_t to, struct rg_buf *out);

/* Words of a shell-like line (quotes and backslashes), into the arena; *n words, NULL-terminated. */
const char **rg__split_words(struct rg_arena *a, const char *line, int *n);

/* Runs `$CC -E` (cc without it) on a file. `extra` NULL-terminated further arguments. RG_INPUT with the compiler's
 * first error at its place; RG_UNAVAILABLE without a compiler; RG_IO when the file cannot be read. */
enum rg_status rg__preprocess(const char *file, const char *cflags, const char *const *extra, struct rg_buf *out,
                              struct rg_error *err);
/* First "file:line:col: error: text" of a compiler's messages into err. */
void rg__compiler_error(const char *messages, const char *file, struct rg_error *err);
/* `$CC -fsyntax-only`: the messages when it refuses the file, empty when it accepts it. */
void rg__syntax_messages(const char *file, const char *cflags, struct rg_buf *out);
#endif
