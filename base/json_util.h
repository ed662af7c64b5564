/* JSON helpers of the *_json.c files; the only header that shows jansson's types. */
#ifndef RG_BASE_JSON_UTIL_H
#define RG_BASE_JSON_UTIL_H
#include <jansson.h>
#include <rg/buf.h>
#include <rg/error.h>
#include <stdbool.h>
#include <stdint.h>

/* jansson's parser with our flags (duplicate keys refused); errors carry file:line:column. Caller decrefs. */
json_t *rg_json_parse(const char *text, size_t len, const char *name, struct rg_error *err);
json_t *rg_json_file(const char *path, struct rg_error *err);
/* Members of an object with the right type, else RG_INPUT naming `where` and the member. */
enum rg_status rg_json_str(const json_t *o, const char *key, const char *where, const char **out, struct rg_error *err);
enum rg_status rg_json_int(const json_t *o, const char *key, const char *where, int64_t *out, struct rg_error *err);
enum rg_status rg_json_real(const json_t *o, const char *key, const char *where, double *out, struct rg_error *err);
/* The same, but *out is left alone when the member is missing or null. */
enum rg_status rg_json_opt_str(const json_t *o, const char *key, const char *where, const char **out,
                               struct rg_error *err);
enum rg_status rg_json_opt_int(const json_t *o, const char *key, const char *where, int64_t *out, struct rg_error *err);
enum rg_status rg_json_opt_real(const json_t *o, const char *key, const char *where, double *out, struct rg_error *err);
enum rg_status rg_json_opt_bool(const json_t *o, const char *key, const char *where, bool *out, struct rg_error *err);
/* An object, array member (borrowed); NULL with an error when missing or of another type. */
json_t *rg_json_object(const json_t *o, const char *key, const char *where, struct rg_error *err);
json_t *rg_json_array(const json_t *o, const char *key, const char *where, struct rg_error *err);
/* A string that may hold invalid UTF-8 (messages of tools): bad bytes become '?'. New reference. */
json_t *rg_json_text(const char *s);
/* NaN and infinities become null. New reference. */
json_t *rg_json_number(double v);
/* The same with infinities as "inf" and "-inf"; and back: what is neither is `missing`. */
json_t *rg_json_any_number(double v);
double rg_json_any_number_read(const json_t *j, double missing);
/* Traits (rg/words.h) as a list of their words. New reference. */
json_t *rg_json_traits(uint32_t traits);
/* Their bits; an integer is the bits themselves, as files of earlier versions have them. Unknown words are left out. */
uint32_t rg_json_traits_read(const json_t *v);
/* One line, members in insertion order, reals with 15 digits; malloc'd. */
char *rg_json_line(const json_t *j);
/* The same with an indent of two. */
char *rg_json_pretty(const json_t *j);

/* Position pass: line and column of the value at `path` ("steps/3/tunables/TX") in `text`, for semantic errors after
 * parsing. false when there is no such value. */
bool rg_json_position(const char *text, size_t len, const char *path, int *line, int *column);
#endif
