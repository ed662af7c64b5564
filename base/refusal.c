/* Refusals: kinds by word, and one way of telling one. */
#include <rg/refusal.h>
#include <stdarg.h>
#include <stdio.h>

const char *rg_refusal_word(enum rg_refusal_kind k)
{
    static const char *const words[RG_N_REFUSALS] = {
#define X(name, word, help) word,
        RG_REFUSALS(X)
#undef X
    };
    return words[k];
}

bool rg_refuse(struct rg_reason *why, enum rg_refusal_kind kind, int line, const char *fmt, ...)
{
    char text[sizeof why->text];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    why->kind = kind;
    why->line = line > 0 ? line : 0;
    snprintf(why->text, sizeof why->text, "%s", text);
    return false;
}
