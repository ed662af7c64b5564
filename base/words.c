#include <rg/similar.h>
#include <rg/words.h>
#include <string.h>

static const char *const traits[] = {
#define X(name, word, text) word,
    RG_TRAIT_MAP(X)
#undef X
};
static const char *const limiters[] = {
#define X(name, word, text) word,
    RG_LIMITER_MAP(X)
#undef X
};
static const char *const classes[] = {
#define X(name, word, text) word,
    RG_CLASS_MAP(X)
#undef X
};
static const char *const categories[] = {RG_CATEGORY_WORDS};

_Static_assert(RG_N_TRAITS <= 32, "traits are bits of a uint32_t");

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static int find(const char *const *words, int n, const char *word)
{
    if (word)
        for (int i = 0; i < n; i++)
            if (!strcmp(words[i], word)) return i;
    return -1;
}

const char *rg_trait_word(int index)
{
    return index >= 0 && index < COUNT(traits) ? traits[index] : NULL;
}

int rg_trait_parse(const char *word)
{
    return find(traits, COUNT(traits), word);
}

const char *rg_limiter_word(enum rg_limiter l)
{
    return (unsigned)l < RG_N_LIMITERS ? limiters[l] : limiters[RG_LIMIT_UNKNOWN];
}

const char *rg_limiter_text(const char *word)
{
    static const char *const texts[] = {
#define X(name, word, text) text,
        RG_LIMITER_MAP(X)
#undef X
    };
    int i = rg_limiter_parse(word);
    return i < 0 ? word : texts[i];
}

int rg_limiter_parse(const char *word)
{
    return find(limiters, COUNT(limiters), word);
}

int rg_class_count(void)
{
    return COUNT(classes);
}

const char *rg_class_word(int index)
{
    return index >= 0 && index < COUNT(classes) ? classes[index] : NULL;
}

int rg_class_parse(const char *word)
{
    return find(classes, COUNT(classes), word);
}

int rg_category_parse(const char *word)
{
    return find(categories, COUNT(categories), word);
}

const char *rg_word_near(enum rg_vocabulary v, const char *word, char out[160])
{
    static const struct {
        const char *const *words;
        int n;
    } all[] = {[RG_WORDS_TRAIT] = {traits, COUNT(traits)},
               [RG_WORDS_LIMITER] = {limiters, COUNT(limiters)},
               [RG_WORDS_CLASS] = {classes, COUNT(classes)},
               [RG_WORDS_CATEGORY] = {categories, COUNT(categories)}};
    return rg_did_you_mean(word, all[v].words, all[v].n, out);
}
