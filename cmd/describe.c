#include "cmd/describe.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A form is four functions: what stands before the options of a program and behind them, one option, a program's verbs.
 */
struct form {
    const char *word;
    void (*begin)(const struct rg_command *c, bool verb);
    void (*option)(const struct rg_command *c, const struct rg_option *o, bool verb);
    void (*end)(const struct rg_command *c, bool verb);
    void (*verbs)(const struct rg_command *top, const struct rg_verb *verbs, int n); /* before the verbs' own parts */
    void (*last)(const struct rg_command *top, const struct rg_verb *verbs, int n);  /* behind them */
};

static bool in_verbs; /* rg_cmd_describe_verbs() is at work */

static const struct rg_option common_options[] = {
    RG_OPTION_FLAG("help", 'h', NULL, "what the program does and its options"),
    RG_OPTION_FLAG("version", 0, NULL, "the program's version"),
};

static bool may_lack_value(const struct rg_option *o)
{
    return o->kind == RG_OPT_FLAG_OF || o->kind == RG_OPT_TEXT_OF;
}

static bool has_words(const struct rg_option *o)
{
    return o->kind == RG_OPT_CHOICE || o->kind == RG_OPT_FLAG_OF;
}

/* By the placeholder. */
static bool takes_path(const struct rg_option *o)
{
    return rg_option_takes_value(o) && !has_words(o) && o->arg &&
           (strstr(o->arg, "FILE") || strstr(o->arg, "DIR") || strstr(o->arg, "FOLDER"));
}

/* "a|b|c" as "a b c". */
static void words(const struct rg_option *o)
{
    for (const char *p = o->arg; *p; p++) putchar(*p == '|' ? ' ' : *p);
}

/* "regraph-graph" of "regraph-graph show", "show" of it; and with '_' for what no name of a function may hold. */
static const char *verb_of(const struct rg_command *c)
{
    const char *space = strchr(c->name, ' ');
    return space ? space + 1 : "";
}

static int program_length(const struct rg_command *c)
{
    return (int)strcspn(c->name, " ");
}

static void function_name(const struct rg_command *c)
{
    putchar('_');
    for (int i = 0; i < program_length(c); i++) putchar(isalnum((unsigned char)c->name[i]) ? c->name[i] : '_');
}

/* --- man --- */

static void man_char(char ch)
{
    if (ch == '-')
        fputs("\\-", stdout);
    else if (ch == '\\')
        fputs("\\e", stdout);
    else
        putchar(ch);
}

/* A line of text: a '.' or a quote at its start would be a request. */
static void man_line(const char *p, size_t n)
{
    if (n && (*p == '.' || *p == '\'')) fputs("\\&", stdout);
    for (size_t i = 0; i < n; i++) man_char(p[i]);
    putchar('\n');
}

/* Text wrapped by hand: empty lines part paragraphs, lines that are set in stand as they are. */
static void man_text(const char *text)
{
    bool as_is = false;
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        bool set_in = *p == ' ' || (as_is && n == 0 && p[1] == ' ');
        if (set_in && !as_is) puts(".nf");
        if (!set_in && as_is) puts(".fi");
        as_is = set_in;
        if (n || as_is)
            man_line(p, n);
        else
            puts(".PP");
        p += n + (p[n] == '\n');
    }
    if (as_is) puts(".fi");
}

static void man_plain(const char *text)
{
    for (; *text; text++) man_char(*text);
}

static void man_synopsis(const struct rg_command *c)
{
    fputs(".B ", stdout);
    man_plain(c->name);
    putchar('\n');
    if (c->usage[0]) man_line(c->usage, strlen(c->usage));
}

/* The first sentence of what it does, on one line. */
static void man_summary(const char *about)
{
    size_t n = 0;
    while (about[n] && !(about[n] == '.' && (about[n + 1] == ' ' || about[n + 1] == '\n' || !about[n + 1]))) n++;
    for (size_t i = 0; i < n; i++)
        man_char(about[i] == '\n' ? ' ' : i == 0 ? (char)tolower((unsigned char)about[0]) : about[i]);
    putchar('\n');
}

static void man_title(const struct rg_command *c)
{
    fputs(".TH ", stdout);
    for (int i = 0; i < program_length(c); i++) putchar(toupper((unsigned char)c->name[i]));
    printf(" 1 \"\" \"ReGraph %s\" \"ReGraph\"\n.SH NAME\n", rg_cmd_version());
    man_plain(c->name);
    fputs(" \\- ", stdout);
    man_summary(c->about);
    puts(".SH SYNOPSIS");
    man_synopsis(c);
    puts(".SH DESCRIPTION");
    man_text(c->about);
}

static void man_begin(const struct rg_command *c, bool verb)
{
    if (verb) {
        fputs(".SS ", stdout);
        man_plain(verb_of(c));
        putchar('\n');
        man_synopsis(c);
        puts(".PP");
        if (c->about) man_text(c->about);
        return;
    }
    man_title(c);
    puts(".SH OPTIONS");
}

static void man_option(const struct rg_command *c, const struct rg_option *o, bool verb)
{
    if (o->kind == RG_OPT_HEADING) {
        fputs(".SS ", stdout);
        man_plain(o->help);
        putchar('\n');
        return;
    }
    puts(".TP");
    if (o->letter) printf("\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", stdout);
    man_plain(o->name);
    fputs("\\fR", stdout);
    if (o->arg) {
        fputs(may_lack_value(o) ? "[=\\fI" : " \\fI", stdout);
        man_plain(o->arg);
        fputs(may_lack_value(o) ? "\\fR]" : "\\fR", stdout);
    }
    putchar('\n');
    man_text(o->help);
}

/* The exit codes, which close the notes, have a section of their own. */
static void man_notes(const char *notes)
{
    const char *exits = strstr(notes, "Exit: ");
    size_t before = exits ? (size_t)(exits - notes) : strlen(notes);
    if (before) {
        char *text = rg_xstrndup(notes, before);
        puts(".SH NOTES");
        man_text(text);
        free(text);
    }
    if (!exits) return;
    puts(".SH \"EXIT STATUS\"");
    man_text(exits + strlen("Exit: "));
}

static void man_example(const struct rg_command *c)
{
    if (!c->example) return;
    puts(".nf");
    man_line(c->example, strlen(c->example));
    puts(".fi");
}

static void man_end(const struct rg_command *c, bool verb)
{
    if (verb) {
        if (c->example) puts(".PP\nExample:");
    } else {
        if (c->n_options && c->options[0].kind == RG_OPT_HEADING) puts(".SS Others");
        for (int i = 0; i < RG_N_OPTIONS(common_options); i++) man_option(c, &common_options[i], false);
        if (c->notes) man_notes(c->notes);
        if (c->example) puts(".SH EXAMPLE");
    }
    man_example(c);
}

static void man_verbs(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    man_title(top);
    puts(".SH VERBS");
}

static void man_last(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    puts(".SH OPTIONS");
    for (int i = 0; i < RG_N_OPTIONS(common_options); i++) man_option(top, &common_options[i], false);
    if (top->notes) man_notes(top->notes);
    if (top->example) puts(".SH EXAMPLE");
    man_example(top);
}

/* --- bash --- */

static void bash_values(const struct rg_command *c, const struct rg_option *o)
{
    if (!rg_option_takes_value(o)) return;
    fputs("        ", stdout);
    if (!may_lack_value(o)) {
        if (o->letter) printf("-%c|", o->letter);
        printf("--%s|", o->name);
    }
    printf("--%s=) ", o->name);
    if (has_words(o)) {
        fputs("COMPREPLY=($(compgen -W '", stdout);
        words(o);
        fputs("' -- \"$cur\")) ;;\n", stdout);
    } else {
        puts(takes_path(o) ? "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")) ;;" : ";;");
    }
}

static void bash_names(const struct rg_option *o)
{
    if (o->kind == RG_OPT_HEADING) return;
    if (o->letter) printf("-%c ", o->letter);
    printf("--%s ", o->name);
}

/* One `case` over the option that the value belongs to; --opt=value comes as three words. */
static void bash_body(const struct rg_command *c)
{
    puts("    case $key in");
    for (int i = 0; i < c->n_options; i++) bash_values(c, &c->options[i]);
    fputs("        *) if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '", stdout);
    for (int i = 0; i < c->n_options; i++) bash_names(&c->options[i]);
    for (int i = 0; i < RG_N_OPTIONS(common_options); i++) bash_names(&common_options[i]);
    puts("' -- \"$cur\"))\n           else compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); fi ;;\n    "
         "esac");
}

static void bash_head(const struct rg_command *c)
{
    printf("# bash completion of %.*s, written by `%.*s --describe bash`\n", program_length(c), c->name,
           program_length(c), c->name);
    function_name(c);
    puts("()\n{\n    local cur=${COMP_WORDS[COMP_CWORD]} key=${COMP_WORDS[COMP_CWORD-1]}\n    COMPREPLY=()\n"
         "    [[ $cur == = ]] && cur= && key=$key=\n    [[ $key == = ]] && key=${COMP_WORDS[COMP_CWORD-2]}=");
}

static void bash_tail(const struct rg_command *c)
{
    fputs("}\ncomplete -F ", stdout);
    function_name(c);
    printf(" %.*s\n", program_length(c), c->name);
}

static void bash_begin(const struct rg_command *c, bool verb)
{
    if (verb)
        printf("    %s)\n", verb_of(c));
    else
        bash_head(c);
    bash_body(c);
}

static void bash_end(const struct rg_command *c, bool verb)
{
    if (verb)
        puts("    ;;");
    else
        bash_tail(c);
}

static void bash_verbs(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    bash_head(top);
    fputs("    if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '", stdout);
    for (int i = 0; i < n; i++) printf("%s ", verbs[i].name);
    puts("--help --version' -- \"$cur\")); return; fi\n    case ${COMP_WORDS[1]} in");
}

static void bash_last(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    puts("    esac");
    bash_tail(top);
}

/* --- zsh --- */

/* Inside '...[here]': what _arguments and the quotes would read is escaped, lines become one. */
static void zsh_text(const char *p)
{
    for (; *p; p++) {
        if (*p == '\'')
            fputs("'\\''", stdout);
        else if (*p == '\n')
            putchar(' ');
        else {
            if (strchr("[]:\\", *p)) putchar('\\');
            putchar(*p);
        }
    }
}

static void zsh_option(const struct rg_command *c, const struct rg_option *o, bool verb)
{
    if (o->kind == RG_OPT_HEADING) return;
    const char *eq = !rg_option_takes_value(o) ? "" : may_lack_value(o) ? "=-" : "=";
    fputs(" \\\n        ", stdout);
    if (o->kind == RG_OPT_LIST)
        fputs("'*'", stdout);
    else if (o->letter)
        printf("'(-%c --%s)'", o->letter, o->name);
    if (o->letter)
        printf("{-%c%s,--%s%s}", o->letter, rg_option_takes_value(o) ? "+" : "", o->name, eq);
    else
        printf("--%s%s", o->name, eq);
    fputs("'[", stdout);
    zsh_text(o->help);
    putchar(']');
    if (rg_option_takes_value(o)) {
        fputs(may_lack_value(o) ? "::" : ":", stdout);
        zsh_text(has_words(o) ? "word" : o->arg ? o->arg : "value");
        fputs(":", stdout);
        if (has_words(o)) {
            putchar('(');
            words(o);
            putchar(')');
        } else {
            fputs(takes_path(o) ? "_files" : " ", stdout);
        }
    }
    putchar('\'');
}

static void zsh_begin(const struct rg_command *c, bool verb)
{
    if (verb)
        printf("    %s)\n", verb_of(c));
    else
        printf("#compdef %s\n# written by `%s --describe zsh`\n", c->name, c->name);
    fputs("    _arguments -s", stdout);
}

static void zsh_end(const struct rg_command *c, bool verb)
{
    for (int i = 0; i < RG_N_OPTIONS(common_options); i++) zsh_option(c, &common_options[i], verb);
    puts(" \\\n        '*:file:_files'");
    if (verb) puts("    ;;");
}

static void zsh_verbs(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    printf("#compdef %s\n# written by `%s --describe zsh`\nif (( CURRENT == 2 )); then\n    local -a verbs=(",
           top->name, top->name);
    for (int i = 0; i < n; i++) {
        printf("\n        '%s:", verbs[i].name);
        zsh_text(verbs[i].about);
        putchar('\'');
    }
    puts(")\n    _describe verb verbs\n    return\nfi\nlocal verb=$words[2]\nshift words\n(( CURRENT-- ))\ncase $verb "
         "in");
}

static void zsh_last(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    puts("esac");
}

/* --- fish --- */

static void fish_text(const char *p)
{
    putchar('\'');
    for (; *p; p++) {
        if (*p == '\'' || *p == '\\') putchar('\\');
        putchar(*p == '\n' ? ' ' : *p);
    }
    putchar('\'');
}

static void fish_option(const struct rg_command *c, const struct rg_option *o, bool verb)
{
    if (o->kind == RG_OPT_HEADING) return;
    printf("complete -c %.*s", program_length(c), c->name);
    if (verb) printf(" -n '__fish_seen_subcommand_from %s'", verb_of(c));
    if (o->letter) printf(" -s %c", o->letter);
    printf(" -l %s", o->name);
    if (rg_option_takes_value(o) && !may_lack_value(o)) fputs(takes_path(o) ? " -r -F" : " -x", stdout);
    if (has_words(o)) {
        fputs(" -a '", stdout);
        words(o);
        putchar('\'');
    }
    fputs(" -d ", stdout);
    fish_text(o->help);
    putchar('\n');
}

static void fish_begin(const struct rg_command *c, bool verb)
{
    if (!verb) printf("# fish completion of %s, written by `%s --describe fish`\n", c->name, c->name);
}

static void fish_end(const struct rg_command *c, bool verb)
{
    for (int i = 0; i < RG_N_OPTIONS(common_options); i++) fish_option(c, &common_options[i], verb);
}

static void fish_verbs(const struct rg_command *top, const struct rg_verb *verbs, int n)
{
    fish_begin(top, false);
    for (int i = 0; i < n; i++) {
        printf("complete -c %s -n __fish_use_subcommand -f -a %s -d ", top->name, verbs[i].name);
        fish_text(verbs[i].about);
        putchar('\n');
    }
}

static void nothing(const struct rg_command *c, const struct rg_option *o, bool verb)
{
    /* bash writes all options at once */
}

static void no_last(const struct rg_command *top, const struct rg_verb *verbs, int n) {}

static const struct form forms[] = {
    {"man", man_begin, man_option, man_end, man_verbs, man_last},
    {"bash", bash_begin, nothing, bash_end, bash_verbs, bash_last},
    {"zsh", zsh_begin, zsh_option, zsh_end, zsh_verbs, zsh_last},
    {"fish", fish_begin, fish_option, fish_end, fish_verbs, no_last},
};

static const struct form *find_form(const char *word)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].word, word)) return &forms[i];
    return NULL;
}

int rg_cmd_describe(const struct rg_command *c, const char *form)
{
    const struct form *f = find_form(form);
    if (!f) return rg_cmd_usage(c, "--describe is one of %s, not '%s'", RG_DESCRIBE_FORMS, form);
    f->begin(c, in_verbs);
    for (int i = 0; i < c->n_options; i++) f->option(c, &c->options[i], in_verbs);
    f->end(c, in_verbs);
    return RG_EXIT_OK;
}

int rg_cmd_describe_verbs(const struct rg_command *top, const struct rg_verb *verbs, int n, const char *form)
{
    const struct form *f = find_form(form);
    if (!f) return rg_cmd_usage(top, "--describe is one of %s, not '%s'", RG_DESCRIBE_FORMS, form);
    int code = RG_EXIT_OK;
    f->verbs(top, verbs, n);
    in_verbs = true;
    for (int i = 0; i < n && code == RG_EXIT_OK; i++) {
        char program[64], verb[64], option[] = "--describe", word[16];
        snprintf(program, sizeof program, "%s", top->name);
        snprintf(verb, sizeof verb, "%s", verbs[i].name);
        snprintf(word, sizeof word, "%s", form);
        char *argv[] = {program, verb, option, word, NULL};
        code = verbs[i].run(4, argv);
    }
    in_verbs = false;
    if (code == RG_EXIT_OK) f->last(top, verbs, n);
    return code;
}
