#include <math.h>
#include <rg/outcome.h>
#include <string.h>

static const char *const words[] = {
#define X(name, word, text) word,
    RG_OUTCOME_MAP(X)
#undef X
};

const char *rg_outcome_word(enum rg_outcome o)
{
    return (unsigned)o < RG_N_OUTCOMES ? words[o] : "unknown";
}

int rg_outcome_parse(const char *word)
{
    if (word)
        for (int i = 0; i < RG_N_OUTCOMES; i++)
            if (!strcmp(words[i], word)) return i;
    return -1;
}

bool rg_counter_of_hardware(const char *name)
{
    return !strncmp(name, "hw_", 3);
}

double rg_evaluation_counter(const struct rg_evaluation *e, const char *name)
{
    for (int i = 0; i < e->n_counters && i < RG_MAX_COUNTERS; i++)
        if (!strcmp(e->counters[i].name, name)) return e->counters[i].value;
    return NAN;
}
