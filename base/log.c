#include <rg/log.h>
#include <stdarg.h>
#include <stdio.h>

static rg_log_fn sink;
static void *sink_arg;

void rg_log_sink(rg_log_fn fn, void *arg)
{
    sink = fn;
    sink_arg = arg;
}

void rg_log(enum rg_log_level level, const char *fmt, ...)
{
    if (!sink) return;
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    sink(sink_arg, level, text);
}
