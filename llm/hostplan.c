/* Host code to plan. Models that were asked for a plan often write the CUDA host function instead. Where each of its
 * statements has one meaning in the plan language it is translated; anything else refuses the whole, with the
 * statement. */
#include "hostplan.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void line(struct rg__hp *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void line(struct rg__hp *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    rg_buf_indent(&t->out, t->indent);
    rg_buf_vprintf(&t->out, fmt, ap);
    rg_buf_char(&t->out, '\n');
    va_end(ap);
}

static void statement(struct rg__hp *t, size_t *at, size_t end, bool emit);

static void launch(struct rg__hp *t, char *s)
{
    char *open = strstr(s, "<<<"), *close = strstr(open, ">>>");
    char *kernel = rg__hp_strip(&t->a, s, (size_t)(open - s));
    if (!close) {
        rg__hp_refuse(t, "a launch without >>>");
        return;
    }
    char *shape[RG__HP_MAX_ARGS], *args[RG__HP_MAX_ARGS];
    int n_shape = rg__hp_split(&t->a, rg_arena_strndup(&t->a, open + 3, (size_t)(close - open - 3)), shape);
    char *rest = rg__hp_strip(&t->a, close + 3, strlen(close + 3));
    size_t len = strlen(rest);
    if (n_shape < 2 || n_shape > 4 || *rest != '(' || rg__c_close(rest, len, 0) != len - 1) {
        rg__hp_refuse(t, "the launch of `%.60s` is malformed", kernel);
        return;
    }
    int n = rg__hp_split(&t->a, rg_arena_strndup(&t->a, rest + 1, len - 2), args);
    if (n < 0) {
        rg__hp_refuse(t, "the launch of `%.60s` has too many arguments", kernel);
        return;
    }
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "%s<<<%s, %s", kernel, rg__hp_dims(t, shape[0]), rg__hp_dims(t, shape[1]));
    if (n_shape > 2 && strcmp(rg__hp_expr(t, shape[2]), "0")) rg_buf_printf(&b, ", %s", rg__hp_expr(t, shape[2]));
    rg_buf_str(&b, ">>>(");
    for (int i = 0; i < n; i++) rg_buf_printf(&b, "%s%s", i ? ", " : "", rg__hp_expr(t, args[i]));
    rg_buf_str(&b, ");");
    line(t, "%s", b.data);
    rg_buf_release(&b);
    t->launches++;
}

static const char *resolve(struct rg__hp *t, const char *word)
{
    struct rg__hp_name *n = rg__hp_find(t, word);
    return n && n->kind == RG__HP_NAME_POINTER && n->value ? n->value : word;
}

static void copy(struct rg__hp *t, const char *inner)
{
    char *args[RG__HP_MAX_ARGS];
    if (rg__hp_split(&t->a, inner, args) < 4) {
        rg__hp_refuse(t, "a cudaMemcpy that is not understood");
        return;
    }
    bool up = strstr(args[3], "HostToDevice"), down = strstr(args[3], "DeviceToHost"),
         over = strstr(args[3], "DeviceToDevice");
    struct rg__hp_name *host = rg__hp_find(t, rg__hp_unref(t, args[up ? 1 : 0])),
                       *dev = rg__hp_find(t, args[up ? 0 : 1]);
    bool flag = host && host->kind == RG__HP_NAME_INT && host->variable && args[up ? 1 : 0][0] == '&' && dev &&
                dev->kind == RG__HP_NAME_POINTER;
    if (down && flag) {
        line(t, "%s = read(%s, 0);", host->name, resolve(t, dev->name));
    } else if (up && flag) {
        line(t, "fill(%s, %s);", resolve(t, dev->name), host->name);
    } else if ((up || down) && dev && dev->kind == RG__HP_NAME_POINTER && dev->value &&
               !strcmp(dev->value, args[up ? 1 : 0])) {
        ; /* its buffer is the parameter's: nothing to move */
    } else if (over && rg__hp_find(t, args[0]) && rg__hp_find(t, args[1])) {
        line(t, "copy(%s, %s);", resolve(t, args[0]), resolve(t, args[1]));
    } else {
        rg__hp_refuse(t, "the copy `cudaMemcpy(%.80s)` has no counterpart", inner);
    }
}

static void simple(struct rg__hp *t, char *s, bool emit)
{
    if (!*s) return;
    if (!emit) {
        rg__hp_declare(t, s);
        return;
    }
    char *inner, *args[RG__HP_MAX_ARGS];
    s = rg__hp_bare_call(t, s);
    size_t ints = rg__hp_int_prefix(s);
    if (strstr(s, "<<<")) {
        launch(t, s);
    } else if ((inner = rg__hp_call_args(&t->a, s, "cudaMemcpy")) ||
               (inner = rg__hp_call_args(&t->a, s, "cudaMemcpyAsync"))) {
        copy(t, inner);
    } else if ((inner = rg__hp_call_args(&t->a, s, "cudaMemset")) ||
               (inner = rg__hp_call_args(&t->a, s, "cudaMemsetAsync"))) {
        int n = rg__hp_split(&t->a, inner, args);
        const char *v = n >= 3 ? args[1] : "";
        bool ones = !strcmp(v, "-1") || !strcasecmp(v, "0xff");
        if (strcmp(v, "0") && !ones)
            rg__hp_refuse(t, "cudaMemset to `%.40s`", v);
        else
            line(t, "fill(%s, %s);", resolve(t, args[0]), ones ? "-1" : "0");
    } else if ((inner = rg__hp_call_args(&t->a, s, "std::swap")) || (inner = rg__hp_call_args(&t->a, s, "swap"))) {
        if (rg__hp_split(&t->a, inner, args) != 2)
            rg__hp_refuse(t, "a swap of not two");
        else
            line(t, "swap(%s, %s);", resolve(t, args[0]), resolve(t, args[1]));
    } else if (!strncmp(s, "cudaMalloc", 10) || !strncmp(s, "cudaFree", 8) ||
               !strncmp(s, "cudaDeviceSynchronize", 21) || !strncmp(s, "cudaGetLastError", 16) ||
               !strncmp(s, "cudaStreamSynchronize", 21) || !strcmp(s, "return") || !strncmp(s, "dim3 ", 5) ||
               !strncmp(s, "const dim3 ", 11) || !strncmp(s, "cudaPeekAtLastError", 19)) {
        ;
    } else if (ints && !rg__hp_pointer_declaration(s)) {
        int n = rg__hp_split(&t->a, s + ints, args);
        for (int i = 0; i < n; i++) {
            char *eq = strchr(args[i], '=');
            struct rg__hp_name *nm =
                rg__hp_find(t, rg__hp_strip(&t->a, args[i], eq ? (size_t)(eq - args[i]) : strlen(args[i])));
            if (!nm)
                rg__hp_refuse(t, "the declaration `%.80s` is not understood", s);
            else if (nm->kind == RG__HP_NAME_INT && nm->variable)
                line(t, "int %s = %s;", nm->name, eq ? rg__hp_expr(t, eq + 1) : "0");
        }
    } else if (rg__hp_pointer_declaration(s) && (!strchr(s, '=') || strstr(s, "NULL") || strstr(s, "nullptr"))) {
        ; /* pointer declarations: pass 1 has them */
    } else {
        size_t w = 0;
        while (rg__c_word_char(s[w])) w++;
        struct rg__hp_name *nm = w ? rg__hp_find(t, rg_arena_strndup(&t->a, s, w)) : NULL;
        char *rest = nm ? rg__hp_strip(&t->a, s + w, strlen(s + w)) : s;
        if (nm && nm->kind == RG__HP_NAME_INT && rest[0] == '=' && rest[1] != '=')
            line(t, "%s = %s;", nm->name, rg__hp_expr(t, rest + 1));
        else if (nm && nm->kind == RG__HP_NAME_INT && (!strcmp(rest, "++") || !strcmp(rest, "--")))
            line(t, "%s = %s %c 1;", nm->name, nm->name, rest[0]);
        else if (nm && nm->kind == RG__HP_NAME_INT && rest[0] && strchr("+-*/%", rest[0]) && rest[1] == '=')
            line(t, "%s = %s %c (%s);", nm->name, nm->name, rest[0], rg__hp_expr(t, rest + 2));
        else
            rg__hp_refuse(t, "the host statement `%.100s` has no counterpart in the plan language", s);
    }
}

static size_t skip_space(struct rg__hp *t, size_t i, size_t end)
{
    while (i < end && isspace((unsigned char)t->body[i])) i++;
    return i;
}

static bool keyword(struct rg__hp *t, size_t i, size_t end, const char *word)
{
    size_t w = strlen(word);
    return i + w <= end && !memcmp(t->body + i, word, w) && (i + w == end || !rg__c_word_char(t->body[i + w]));
}

static void body(struct rg__hp *t, size_t *at, size_t end, bool emit)
{
    t->indent++;
    statement(t, at, end, emit);
    t->indent--;
}

/* for (int i = a; i < b; i++) as the plan writes it. */
static char *for_head(struct rg__hp *t, const char *inner)
{
    char *copy_ = rg_arena_strdup(&t->a, inner), *first = strchr(copy_, ';'),
         *second = first ? strchr(first + 1, ';') : NULL;
    if (!second) {
        rg__hp_refuse(t, "a for loop that is not understood");
        return copy_;
    }
    *first = *second = '\0';
    char *init = rg__hp_strip(&t->a, copy_, strlen(copy_));
    size_t ints = rg__hp_int_prefix(init);
    char *eq = strchr(init, '=');
    if (!eq) {
        rg__hp_refuse(t, "a for loop without a counter");
        return copy_;
    }
    char *word = rg__hp_strip(&t->a, init + ints, (size_t)(eq - init) - ints);
    struct rg__hp_name *n = rg__hp_find(t, word);
    if (!n || n->kind != RG__HP_NAME_INT) n = rg__hp_add(t, RG__HP_NAME_INT, word);
    if (n) n->variable = true;
    char *step = rg__hp_strip(&t->a, second + 1, strlen(second + 1));
    char *value = rg__hp_expr(t, eq + 1), *cond = rg__hp_expr(t, first + 1);
    return rg_arena_printf(&t->a, "%s%s = %s; %s; %s", ints ? "int " : "", word, value, cond, step);
}

static void statement(struct rg__hp *t, size_t *at, size_t end, bool emit)
{
    size_t i = skip_space(t, *at, end);
    if (t->bad || i >= end) {
        *at = end;
        return;
    }
    if (++t->depth > RG__HP_MAX_DEPTH) rg__hp_refuse(t, "host code nested too deep");
    if (t->body[i] == '{') {
        size_t close = rg__c_close(t->body, end, i);
        for (i++; !t->bad && (i = skip_space(t, i, close)) < close;) statement(t, &i, close, emit);
        *at = close < end ? close + 1 : end;
    } else if (keyword(t, i, end, "for") || keyword(t, i, end, "while") || keyword(t, i, end, "if")) {
        size_t w = i;
        while (rg__c_word_char(t->body[w])) w++;
        size_t open = skip_space(t, w, end),
               close = open < end && t->body[open] == '(' ? rg__c_close(t->body, end, open) : end;
        if (close >= end) {
            rg__hp_refuse(t, "a host loop or branch without brackets");
        } else {
            char *word = rg_arena_strndup(&t->a, t->body + i, w - i);
            char *inner = rg__hp_strip(&t->a, t->body + open + 1, close - open - 1);
            char *head = !strcmp(word, "for") ? for_head(t, inner) : emit ? rg__hp_expr(t, inner) : inner;
            if (emit) line(t, "%s (%s) {", word, head);
            *at = close + 1;
            body(t, at, end, emit);
            size_t next = skip_space(t, *at, end);
            if (!strcmp(word, "if") && keyword(t, next, end, "else")) {
                if (emit) line(t, "} else {");
                *at = next + 4;
                body(t, at, end, emit);
            }
            if (emit) line(t, "}");
        }
    } else if (keyword(t, i, end, "do")) {
        if (emit) line(t, "do {");
        *at = i + 2;
        body(t, at, end, emit);
        size_t w = skip_space(t, *at, end);
        size_t open = keyword(t, w, end, "while") ? skip_space(t, w + 5, end) : end;
        size_t close = open < end && t->body[open] == '(' ? rg__c_close(t->body, end, open) : end;
        if (close >= end) {
            rg__hp_refuse(t, "a do loop without its while");
        } else {
            if (emit)
                line(t, "} while (%s);", rg__hp_expr(t, rg__hp_strip(&t->a, t->body + open + 1, close - open - 1)));
            *at = close + 1;
            size_t semi = skip_space(t, *at, end);
            if (semi < end && t->body[semi] == ';') *at = semi + 1;
        }
    } else {
        size_t e = i;
        while (e < end && t->body[e] != ';') {
            if (t->body[e] == '(' || t->body[e] == '{') e = rg__c_close(t->body, end, e);
            if (e < end) e++;
        }
        simple(t, rg__hp_strip(&t->a, t->body + i, e - i), emit);
        *at = e < end ? e + 1 : end;
    }
    if (t->bad) *at = end;
    t->depth--;
}

static char *translate(const struct rg_problem *p, const char *blank, size_t n, char *why, size_t size)
{
    struct rg__hp t = {.p = p, .a = RG_ARENA_INIT, .body = blank, .len = n, .why = why, .why_size = size};
    rg_buf_init(&t.out);
    rg_buf_init(&t.scratch);
    if (n > RG__HP_MAX_BODY) rg__hp_refuse(&t, "the host code is too long");
    for (int pass = 0; pass < 2 && !t.bad; pass++)
        for (size_t at = 0; at < n && !t.bad;) statement(&t, &at, n, pass == 1);
    /* Pointers that stand for no parameter are scratch. */
    for (int i = 0; i < t.n_names && !t.bad; i++) {
        struct rg__hp_name *nm = &t.names[i];
        if (nm->kind != RG__HP_NAME_POINTER || nm->value || !nm->bytes || rg__hp_is_array_param(&t, nm->name)) continue;
        rg_buf_printf(&t.scratch, "scratch %s %s[(%s) / sizeof(%s)];\n", nm->type, nm->name, rg__hp_expr(&t, nm->bytes),
                      nm->type);
    }
    if (!t.bad && !t.launches) rg__hp_refuse(&t, "nothing is launched");
    rg_buf_str(&t.scratch, t.out.data);
    char *plan = t.bad ? NULL : rg_buf_steal(&t.scratch);
    rg_buf_release(&t.scratch);
    rg_buf_release(&t.out);
    rg_arena_release(&t.a);
    return plan;
}

char *rg__host_plan(const struct rg_problem *p, const char *text, size_t n, char *why, size_t why_size)
{
    char *blank = rg__c_blank(text, n), *plan = NULL;
    struct rg__item *items;
    int count = rg__c_items(blank, n, &items), hits = 0;
    const struct rg__item *hit = NULL;
    for (int i = 0; i < count; i++) {
        if (items[i].kind != RG__ITEM_HOST ||
            !memmem(blank + items[i].body, items[i].body_end - items[i].body, "<<<", 3))
            continue;
        hit = &items[i];
        hits++;
    }
    if (hits > 1) snprintf(why, why_size, "several host functions launch kernels");
    if (hits == 1) plan = translate(p, blank + hit->body, hit->body_end - hit->body, why, why_size);
    free(items);
    free(blank);
    return plan;
}

char *rg__host_plan_body(const struct rg_problem *p, const char *text, size_t n, char *why, size_t why_size)
{
    char *blank = rg__c_blank(text, n);
    char *plan = translate(p, blank, n, why, why_size);
    free(blank);
    return plan;
}
