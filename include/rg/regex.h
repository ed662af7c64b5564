/* Regular expressions (PCRE2, 8-bit, match limits set so that no pattern runs away). */
#ifndef RG_REGEX_H
#define RG_REGEX_H
#include <rg/decls.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stddef.h>

RG_BEGIN_DECLS

struct rg_regex;

enum { RG_REGEX_MULTILINE = 1, RG_REGEX_DOTALL = 2, RG_REGEX_CASELESS = 4 };

struct rg_match { /* byte offsets; start == (size_t)-1: the group did not take part */
    size_t start, end;
};

/* RG_INPUT with the position when the pattern is bad. */
enum rg_status rg_regex_new(const char *pattern, int flags, struct rg_regex **out, struct rg_error *err);
void rg_regex_free(struct rg_regex *r);
/* First match at or after `from`; fills up to n groups (0 is the whole). A match limit counts as no match. */
bool rg_regex_find(const struct rg_regex *r, const char *text, size_t len, size_t from, struct rg_match *groups, int n);
/* Number of non-overlapping matches. */
int rg_regex_count(const struct rg_regex *r, const char *text, size_t len);
RG_END_DECLS
#endif
