/* Function bodies of PTX: registers, scopes, labels, instructions, operands. */
#include "runtime/sim/ptx/ptx_parser.h"
#include <stdlib.h>
#include <string.h>

static int new_regs(struct ptx_parser *p, struct ptx_func *f, enum ptx_type t, int n)
{
    if (n > PTX_MAX_REGS - f->n_regs) return -1;
    while (f->n_regs + n > f->cap_regs) {
        f->cap_regs = f->cap_regs ? f->cap_regs * 2 : 64;
        f->reg_types = rg_xrealloc(f->reg_types, (size_t)f->cap_regs);
    }
    if (n) memset(f->reg_types + f->n_regs, (int)t, (size_t)n);
    f->n_regs += n;
    return f->n_regs - n;
}

static enum rg_status registers(struct ptx_parser *p, struct ptx_func *f)
{
    rg__ptx_lex_next(&p->l);
    if (p->l.t.kind != PTX_T_DOT) return rg__ptx_fail(p, "a register type expected");
    int t = rg__ptx_type_parse(p->l.t.text, p->l.t.n);
    if (t < 0)
        return rg__ptx_fail(p, "unknown register type '.%.*s'", (int)(p->l.t.n < 40 ? p->l.t.n : 40), p->l.t.text);
    rg__ptx_lex_next(&p->l);
    for (;;) {
        if (p->l.t.kind != PTX_T_WORD) return rg__ptx_fail(p, "a register name expected");
        struct ptx_token name = p->l.t;
        rg__ptx_lex_next(&p->l);
        int count = 1;
        bool range = ptx_at_char(&p->l, '<');
        if (range) {
            rg__ptx_lex_next(&p->l);
            if (p->l.t.kind != PTX_T_INT || p->l.t.bits > PTX_MAX_REGS)
                return rg__ptx_fail(p, "a register count expected");
            count = (int)p->l.t.bits;
            rg__ptx_lex_next(&p->l);
            enum rg_status s = rg__ptx_expect(p, '>');
            if (s) return s;
        }
        int first = new_regs(p, f, (enum ptx_type)t, count);
        if (first < 0) return rg__ptx_fail(p, "more than %d registers", PTX_MAX_REGS);
        struct ptx_symbol *sym = rg__ptx_symbol_add(p, name.text, name.n, range ? PTX_S_REG_RANGE : PTX_S_REG);
        sym->reg = first;
        sym->count = count;
        if (!ptx_at_char(&p->l, ',')) break;
        rg__ptx_lex_next(&p->l);
    }
    return rg__ptx_expect(p, ';');
}

/* The innermost register of that name: an exact one, or "%r12" of "%r<100>". */
static int find_register(struct ptx_parser *p, const char *name, size_t n)
{
    const struct ptx_symbol *s = rg__ptx_symbol_find(p, name, n);
    if (s) return s->kind == PTX_S_REG ? s->reg : -1;
    size_t k = n;
    while (k > 1 && name[k - 1] >= '0' && name[k - 1] <= '9') k--;
    for (size_t cut = k; cut < n; cut++) { /* "%f16_2<10>" has digits of its own */
        uint64_t index = 0;
        if (n - cut > 9 || (name[cut] == '0' && n - cut > 1)) continue;
        for (size_t i = cut; i < n; i++) index = index * 10 + (uint64_t)(name[i] - '0');
        unsigned h = 2166136261u;
        for (size_t i = 0; i < cut; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
        for (int i = p->buckets[h % PTX_BUCKETS]; i >= 0; i = p->symbols[i].next) {
            const struct ptx_symbol *r = &p->symbols[i];
            if (r->kind == PTX_S_REG_RANGE && r->n == cut && !memcmp(r->name, name, cut) && index < (uint64_t)r->count)
                return r->reg + (int)index;
        }
    }
    return -1;
}

static int find_special(const struct ptx_token *t)
{
    static const char *const names[PTX_N_SPECIALS] = {
#define X(name, word) [PTX_SR_##name] = word,
        PTX_SPECIAL_MAP(X)
#undef X
    };
    for (int i = 0; i < PTX_N_SPECIALS; i++)
        if (strlen(names[i]) == t->n && !memcmp(names[i], t->text, t->n)) return i;
    return -1;
}

static enum rg_status number(struct ptx_parser *p, struct ptx_operand *o)
{
    bool negative = false;
    while (ptx_at_char(&p->l, '-') || ptx_at_char(&p->l, '+')) {
        if (p->l.t.c == '-') negative = !negative;
        rg__ptx_lex_next(&p->l);
    }
    struct ptx_token *t = &p->l.t;
    o->kind = PTX_O_IMM;
    o->bits = t->bits;
    if (t->kind == PTX_T_INT) {
        if (negative) o->bits = -o->bits;
    } else if (t->kind == PTX_T_F32 || t->kind == PTX_T_F64) {
        o->is_float = true;
        o->is_f32 = t->kind == PTX_T_F32;
        if (negative) o->bits ^= o->is_f32 ? 0x80000000u : (uint64_t)1 << 63;
    } else
        return rg__ptx_fail(p, "a number expected");
    rg__ptx_lex_next(&p->l);
    return RG_OK;
}

static enum rg_status offset(struct ptx_parser *p, struct ptx_operand *o)
{
    while (ptx_at_char(&p->l, '+') || ptx_at_char(&p->l, '-')) {
        struct ptx_operand n;
        memset(&n, 0, sizeof n);
        enum rg_status s = number(p, &n);
        if (s) return s;
        if (n.is_float) return rg__ptx_fail(p, "an integer offset expected");
        o->offset = (int64_t)((uint64_t)o->offset + n.bits);
    }
    return RG_OK;
}

static enum rg_status operand(struct ptx_parser *p, struct ptx_operand *o, int depth, bool is_branch, bool is_call);

static enum rg_status list(struct ptx_parser *p, struct ptx_operand *o, char close, int depth, bool is_call)
{
    struct ptx_operand items[64];
    int n = 0;
    rg__ptx_lex_next(&p->l);
    enum rg_status s;
    while (!ptx_at_char(&p->l, close)) {
        if (n == 64) return rg__ptx_fail(p, "a list of more than 64 operands");
        if ((s = operand(p, &items[n++], depth + 1, false, is_call))) return s;
        if (!ptx_at_char(&p->l, close) && (s = rg__ptx_expect(p, ','))) return s;
    }
    rg__ptx_lex_next(&p->l);
    o->kind = PTX_O_LIST;
    o->n = n;
    o->items = rg_arena_alloc(&p->m->arena, sizeof *items * (size_t)(n ? n : 1));
    memcpy(o->items, items, sizeof *items * (size_t)n);
    return RG_OK;
}

static enum rg_status name_operand(struct ptx_parser *p, struct ptx_operand *o, bool is_branch, bool is_call)
{
    struct ptx_token t = p->l.t;
    if (t.n == 1 && t.text[0] == '_') {
        o->kind = PTX_O_SINK;
        rg__ptx_lex_next(&p->l);
        return RG_OK;
    }
    int r = find_register(p, t.text, t.n);
    const struct ptx_symbol *sym = r < 0 ? rg__ptx_symbol_find(p, t.text, t.n) : NULL;
    int special = r < 0 && t.text[0] == '%' ? find_special(&t) : -1;
    if (is_branch && r < 0) {
        o->kind = PTX_O_LABEL;
        o->reg = -1;
        o->name = rg_arena_strndup(&p->m->arena, t.text, t.n);
    } else if (r >= 0) {
        o->kind = PTX_O_REG;
        o->reg = r;
    } else if (special >= 0) {
        o->kind = PTX_O_SPECIAL;
        o->reg = special;
    } else if (sym && sym->kind == PTX_S_VAR) {
        o->kind = PTX_O_VAR;
        o->var = sym->var;
    } else if ((sym && sym->kind == PTX_S_FUNC) || is_call) {
        o->kind = PTX_O_FUNC;
        o->name = rg_arena_strndup(&p->m->arena, t.text, t.n);
    } else if (rg__ptx_at_word(&p->l, PTX_T_WORD, "WARP_SZ")) {
        o->kind = PTX_O_IMM;
        o->bits = 32;
    } else {
        return rg__ptx_fail(p, "unknown name '%.*s'", (int)(t.n < 80 ? t.n : 80), t.text);
    }
    rg__ptx_lex_next(&p->l);
    return o->kind == PTX_O_VAR ? offset(p, o) : RG_OK;
}

static enum rg_status operand(struct ptx_parser *p, struct ptx_operand *o, int depth, bool is_branch, bool is_call)
{
    enum rg_status s;
    memset(o, 0, sizeof *o);
    o->second = -1;
    if (depth > 4) return rg__ptx_fail(p, "operands nested too deeply");
    if (ptx_at_char(&p->l, '!')) o->negated = true, rg__ptx_lex_next(&p->l);
    if (ptx_at_char(&p->l, '{')) return list(p, o, '}', depth, is_call);
    if (ptx_at_char(&p->l, '(')) return list(p, o, ')', depth, is_call);
    if (ptx_at_char(&p->l, '[')) {
        rg__ptx_lex_next(&p->l);
        struct ptx_operand base;
        if ((s = operand(p, &base, depth + 1, false, false))) return s;
        if (base.kind != PTX_O_REG && base.kind != PTX_O_VAR && base.kind != PTX_O_IMM)
            return rg__ptx_fail(p, "an address expected");
        o->kind = PTX_O_ADDRESS;
        o->reg = base.kind == PTX_O_REG ? base.reg : -1;
        o->var = base.var;
        o->offset = base.kind == PTX_O_IMM ? (int64_t)base.bits : base.offset;
        if ((s = offset(p, o))) return s;
        while (ptx_at_char(&p->l, ',')) { /* tensor coordinates: parsed, refused when lowered */
            rg__ptx_lex_next(&p->l);
            struct ptx_operand ignored;
            if ((s = operand(p, &ignored, depth + 1, false, false))) return s;
            o->n++;
        }
        return rg__ptx_expect(p, ']');
    }
    if (p->l.t.kind != PTX_T_WORD) return number(p, o);
    bool negated = o->negated;
    if ((s = name_operand(p, o, is_branch, is_call))) return s;
    o->negated = negated;
    if (o->kind == PTX_O_REG && ptx_at_char(&p->l, '|')) {
        rg__ptx_lex_next(&p->l);
        struct ptx_operand q;
        if ((s = operand(p, &q, depth + 1, false, false))) return s;
        if (q.kind != PTX_O_REG && q.kind != PTX_O_SINK) return rg__ptx_fail(p, "a predicate expected after '|'");
        o->second = q.kind == PTX_O_REG ? q.reg : -1;
    } else if (o->kind == PTX_O_SINK && ptx_at_char(&p->l, '|')) {
        rg__ptx_lex_next(&p->l);
        struct ptx_operand q;
        if ((s = operand(p, &q, depth + 1, false, false))) return s;
        if (q.kind != PTX_O_REG) return rg__ptx_fail(p, "a predicate expected after '|'");
        o->second = q.reg;
    }
    return RG_OK;
}

static enum rg_status instruction(struct ptx_parser *p, struct ptx_func *f)
{
    if (f->n_insts >= PTX_MAX_INSTS) return rg__ptx_fail(p, "more than %d instructions", PTX_MAX_INSTS);
    RG_GROW(f->insts, f->n_insts, f->cap_insts);
    struct ptx_inst *in = &f->insts[f->n_insts];
    memset(in, 0, sizeof *in);
    in->guard = -1;
    in->line = p->l.t.line;
    in->cuda_line = p->cuda_line;
    in->rolled = p->rolled;
    p->rolled = false;
    in->cuda_file = p->cuda_file;
    if (ptx_at_char(&p->l, '@')) {
        rg__ptx_lex_next(&p->l);
        if (ptx_at_char(&p->l, '!')) in->guard_negated = true, rg__ptx_lex_next(&p->l);
        int r = p->l.t.kind == PTX_T_WORD ? find_register(p, p->l.t.text, p->l.t.n) : -1;
        if (r < 0 || f->reg_types[r] != PTX_PRED) return rg__ptx_fail(p, "a predicate expected after '@'");
        in->guard = r;
        rg__ptx_lex_next(&p->l);
    }
    if (p->l.t.kind != PTX_T_WORD)
        return rg__ptx_fail(p, "an instruction expected before '%.*s'", (int)(p->l.t.n < 40 ? p->l.t.n : 40),
                            p->l.t.text);
    rg__ptx_lex_opcode(&p->l);
    if (p->l.t.n > 200) return rg__ptx_fail(p, "an opcode of more than 200 characters");
    in->op = rg_arena_strndup(&p->m->arena, p->l.t.text, p->l.t.n);
    bool is_call = !strncmp(in->op, "call", 4), is_branch = !strncmp(in->op, "bra", 3) || !strncmp(in->op, "brx", 3);
    rg__ptx_lex_next(&p->l);
    struct ptx_operand o[PTX_MAX_OPERANDS];
    int n = 0;
    enum rg_status s;
    while (!ptx_at_char(&p->l, ';')) {
        if (p->l.t.kind == PTX_T_END) return rg__ptx_fail(p, "';' expected before the end");
        if (n == PTX_MAX_OPERANDS) return rg__ptx_fail(p, "'%s' with more than %d operands", in->op, PTX_MAX_OPERANDS);
        if ((s = operand(p, &o[n++], 0, is_branch, is_call))) return s;
        if (!ptx_at_char(&p->l, ';') && (s = rg__ptx_expect(p, ','))) return s;
    }
    rg__ptx_lex_next(&p->l);
    in->n = n;
    in->o = rg_arena_alloc(&p->m->arena, sizeof *o * (size_t)(n ? n : 1));
    memcpy(in->o, o, sizeof *o * (size_t)n);
    for (int i = 0; i < n; i++)
        if (o[i].kind == PTX_O_LABEL) {
            RG_GROW(p->refs, p->n_refs, p->cap_refs);
            p->refs[p->n_refs++] = (struct ptx_label_ref){o[i].name, strlen(o[i].name), &in->o[i], in->line, p->scope};
        }
    f->n_insts++;
    return RG_OK;
}

static void add_label(struct ptx_parser *p, struct ptx_func *f, const char *name, size_t n)
{
    RG_GROW(f->labels, f->n_labels, f->cap_labels);
    f->labels[f->n_labels] = f->n_insts;
    RG_GROW(p->labels, p->n_labels, p->cap_labels);
    p->labels[p->n_labels++] = (struct ptx_label){name, n, f->n_labels++, p->scope};
}

static unsigned label_hash(const char *s, size_t n)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < n; i++) h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

/* Labels belong to the scope they stand in; inline assembly repeats their names. What a scope does not define is
 * asked of the one around it. */
static enum rg_status close_scope(struct ptx_parser *p)
{
    int first = p->n_labels;
    while (first > 0 && p->labels[first - 1].scope == p->scope) first--;
    int n = p->n_labels - first;
    int *table = NULL;
    unsigned size = 0;
    if (n) {
        for (size = 8; size < (unsigned)n * 2; size *= 2) {
        }
        table = rg_xmalloc(size * sizeof *table);
        memset(table, -1, size * sizeof *table);
        for (int i = first; i < p->n_labels; i++) {
            unsigned h = label_hash(p->labels[i].name, p->labels[i].n) & (size - 1);
            while (table[h] >= 0) h = (h + 1) & (size - 1);
            table[h] = i;
        }
    }
    int kept = 0;
    for (int i = 0; i < p->n_refs; i++) {
        struct ptx_label_ref *r = &p->refs[i];
        bool found = false;
        if (r->scope == p->scope && table)
            for (unsigned h = label_hash(r->name, r->n) & (size - 1); table[h] >= 0; h = (h + 1) & (size - 1)) {
                const struct ptx_label *l = &p->labels[table[h]];
                if (l->n == r->n && !memcmp(l->name, r->name, r->n)) {
                    r->o->reg = l->label;
                    found = true;
                    break;
                }
            }
        if (found) continue;
        if (r->scope == p->scope) {
            if (p->scope == 1) {
                free(table);
                return rg_error_at(p->err, RG_INPUT, "ptx", r->line, 0, "unknown label '%.80s'", r->name);
            }
            r->scope--;
        }
        p->refs[kept++] = *r;
    }
    free(table);
    p->n_refs = kept;
    p->n_labels = first;
    p->scope--;
    return RG_OK;
}

static enum rg_status pragma(struct ptx_parser *p)
{
    rg__ptx_lex_next(&p->l);
    if (p->l.t.kind == PTX_T_STRING && p->l.t.n == 8 && !memcmp(p->l.t.text, "nounroll", 8)) p->rolled = true;
    return rg__ptx_skip_statement(p);
}

static enum rg_status statement(struct ptx_parser *p, struct ptx_func *f)
{
    struct ptx_lexer *l = &p->l;
    if (l->t.kind == PTX_T_DOT) {
        if (rg__ptx_at_word(l, PTX_T_DOT, "loc")) return rg__ptx_loc(p);
        if (rg__ptx_at_word(l, PTX_T_DOT, "reg")) return registers(p, f);
        if (rg__ptx_at_word(l, PTX_T_DOT, "pragma")) return pragma(p);
        if (rg__ptx_at_word(l, PTX_T_DOT, "branchtargets") || rg__ptx_at_word(l, PTX_T_DOT, "callprototype") ||
            rg__ptx_at_word(l, PTX_T_DOT, "calltargets"))
            return rg__ptx_skip_statement(p);
        bool is_extern = rg__ptx_at_word(l, PTX_T_DOT, "extern");
        if (is_extern) rg__ptx_lex_next(l);
        return rg__ptx_variables(p, f, is_extern);
    }
    if (l->t.kind == PTX_T_WORD) {
        const char *q = l->p;
        while (q < l->end && (*q == ' ' || *q == '\t')) q++;
        if (q < l->end && *q == ':' && !(l->end - q > 1 && q[1] == ':')) {
            add_label(p, f, l->t.text, l->t.n);
            rg__ptx_lex_next(l);
            rg__ptx_lex_next(l);
            return RG_OK;
        }
    }
    return instruction(p, f);
}

enum rg_status rg__ptx_body(struct ptx_parser *p, struct ptx_func *f)
{
    int symbols[PTX_MAX_DEPTH];
    p->scope = 0;
    p->n_refs = p->n_labels = 0;
    p->cuda_line = p->cuda_file = p->home_file = 0;
    p->rolled = false;
    int outer = p->n_symbols;
    for (int i = 0; i < f->n_params; i++)
        rg__ptx_symbol_add(p, f->params[i]->name, strlen(f->params[i]->name), PTX_S_VAR)->var = f->params[i];
    for (int i = 0; i < f->n_rets; i++)
        rg__ptx_symbol_add(p, f->rets[i]->name, strlen(f->rets[i]->name), PTX_S_VAR)->var = f->rets[i];
    f->has_body = true;
    if (!ptx_at_char(&p->l, '{')) return rg__ptx_fail(p, "'{' expected before the body of '%.80s'", f->name);
    do {
        enum rg_status s = RG_OK;
        if (p->l.t.kind == PTX_T_END) return rg__ptx_fail(p, "'}' expected before the end of '%.80s'", f->name);
        if (ptx_at_char(&p->l, '{')) {
            if (p->scope == PTX_MAX_DEPTH) return rg__ptx_fail(p, "scopes nested too deeply");
            symbols[p->scope++] = p->n_symbols;
            rg__ptx_lex_next(&p->l);
        } else if (ptx_at_char(&p->l, '}')) {
            if ((s = close_scope(p))) return s;
            rg__ptx_symbols_drop(p, symbols[p->scope]);
            rg__ptx_lex_next(&p->l);
        } else if (ptx_at_char(&p->l, ';')) {
            rg__ptx_lex_next(&p->l);
        } else if ((s = statement(p, f)))
            return s;
    } while (p->scope > 0);
    rg__ptx_symbols_drop(p, outer);
    return RG_OK;
}
