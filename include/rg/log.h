/* Messages of the libraries: they go to a sink that the program sets; without one they are dropped.
 * Nothing outside cmd/ prints. */
#ifndef RG_LOG_H
#define RG_LOG_H
#include <rg/decls.h>

RG_BEGIN_DECLS

enum rg_log_level { RG_LOG_DEBUG, RG_LOG_INFO, RG_LOG_WARN };

typedef void (*rg_log_fn)(void *arg, enum rg_log_level level, const char *text);
/* One sink a process; set before threads start. */
void rg_log_sink(rg_log_fn fn, void *arg);
void rg_log(enum rg_log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
RG_END_DECLS
#endif
