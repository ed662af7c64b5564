/* Tokens of PTX. */
#ifndef RG_SIM_PTX_LEX_H
#define RG_SIM_PTX_LEX_H
#include "runtime/sim/ptx/ptx.h"

enum ptx_token_kind {
    PTX_T_END,
    PTX_T_WORD, /* identifier: letters, digits, _ $ %; not starting with a digit */
    PTX_T_DOT,  /* .word, "::" included; text without the dot */
    PTX_T_INT,
    PTX_T_F32,
    PTX_T_F64,
    PTX_T_STRING, /* text without quotes */
    PTX_T_CHAR    /* one punctuation character, .c */
};

struct ptx_token {
    enum ptx_token_kind kind;
    const char *text;
    size_t n;
    char c;
    uint64_t bits;
    int line;
};

struct ptx_lexer {
    const char *p, *end;
    int line;
    struct ptx_token t; /* current */
};

void rg__ptx_lex_start(struct ptx_lexer *l, const char *text, size_t len);
void rg__ptx_lex_next(struct ptx_lexer *l);
/* An opcode begins at the current WORD: extends it over ".mod" and "::" parts that touch it. */
void rg__ptx_lex_opcode(struct ptx_lexer *l);
static inline bool ptx_at_char(const struct ptx_lexer *l, char c)
{
    return l->t.kind == PTX_T_CHAR && l->t.c == c;
}
bool rg__ptx_at_word(const struct ptx_lexer *l, enum ptx_token_kind kind, const char *word);
#endif
