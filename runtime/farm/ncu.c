#include "runtime/farm/ncu.h"
#include <rg/worker.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum how { AMOUNT, SHARE, MOST, STALL, DURATION };

/* Names that chips from Volta on know; one that a chip does not know is left out when ncu says so. */
static const struct metric {
    const char *name, *ncu;
    enum how how;
} metrics[] = {
    {"hw_occupancy_pct", "sm__warps_active.avg.pct_of_peak_sustained_active", SHARE},
    {"hw_dram_bytes", "dram__bytes.sum", AMOUNT},
    {"hw_dram_pct", "dram__throughput.avg.pct_of_peak_sustained_elapsed", SHARE},
    {"hw_l2_hit_pct", "lts__t_sector_hit_rate.pct", SHARE},
    {"hw_l1_hit_pct", "l1tex__t_sector_hit_rate.pct", SHARE},
    {"hw_sm_pct", "sm__throughput.avg.pct_of_peak_sustained_elapsed", SHARE},
    {"hw_issue_pct", "smsp__issue_active.avg.pct_of_peak_sustained_active", SHARE},
    {"hw_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", AMOUNT},
    {"hw_regs", "launch__registers_per_thread", MOST},
    {"hw_local_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", AMOUNT},
    {"hw_local_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", AMOUNT},
    {"hw_branch_uniform_pct", "smsp__sass_average_branch_targets_threads_uniform.pct", SHARE},
    {"hw_us", "gpu__time_duration.sum", DURATION},
#define STALLED(reason)                                                                                                \
    {                                                                                                                  \
        "hw_stall_" #reason, "smsp__average_warps_issue_stalled_" #reason "_per_issue_active.ratio", STALL             \
    }
    STALLED(long_scoreboard),
    STALLED(short_scoreboard),
    STALLED(barrier),
    STALLED(membar),
    STALLED(math_pipe_throttle),
    STALLED(mio_throttle),
    STALLED(lg_throttle),
    STALLED(tex_throttle),
    STALLED(wait),
    STALLED(not_selected),
    STALLED(no_instruction),
    STALLED(dispatch_stall),
    STALLED(drain),
    STALLED(imc_miss),
    STALLED(sleeping),
    STALLED(branch_resolving),
};
enum { N = sizeof metrics / sizeof *metrics, TOP_STALLS = 3, MAX_COLUMNS = 1024 };
_Static_assert(N < 64, "bits of a word");

void rg__ncu_metrics(struct rg_buf *out, uint64_t left_out)
{
    const char *comma = "";
    for (int i = 0; i < N; i++) {
        if (left_out >> i & 1) continue;
        rg_buf_printf(out, "%s%s", comma, metrics[i].ncu);
        comma = ",";
    }
}

const char *const *rg_hardware_counters(void)
{
    static const char *names[N + 1];
    int n = 0;
    for (int i = 0; i < N; i++)
        if (metrics[i].how != STALL) names[n++] = metrics[i].name;
    return names;
}

void rg__ncu_kernels(struct rg_buf *out, const char *const *names, int n)
{
    rg_buf_str(out, "^(");
    for (int i = 0; i < n; i++) {
        size_t len = strcspn(names[i], "<"), from = len;
        while (from > 0 && (isalnum((unsigned char)names[i][from - 1]) || names[i][from - 1] == '_')) from--;
        rg_buf_printf(out, "%s%.*s", i ? "|" : "", (int)(len - from), names[i] + from);
    }
    rg_buf_str(out, ")$");
}

/* --- CSV: fields in quotes or not, a quote doubled inside; one record a line, or more where a quote is open --- */

struct csv {
    const char *at, *end;
};

/* The next field of a record, unquoted, into `field` (cut). False: the record is over. */
static bool next_field(struct csv *c, bool *first, char *field, size_t size)
{
    size_t n = 0;
    if (c->at >= c->end) return false;
    if (!*first) {
        if (*c->at != ',') {
            c->at += *c->at == '\r' && c->at + 1 < c->end && c->at[1] == '\n' ? 2 : 1; /* the line's end */
            return false;
        }
        c->at++;
    }
    *first = false;
    bool quoted = c->at < c->end && *c->at == '"';
    if (quoted) c->at++;
    for (; c->at < c->end; c->at++) {
        if (quoted && *c->at == '"') {
            if (c->at + 1 < c->end && c->at[1] == '"')
                c->at++;
            else {
                c->at++;
                break;
            }
        } else if (!quoted && (*c->at == ',' || *c->at == '\n' || *c->at == '\r')) {
            break;
        }
        if (n + 1 < size) field[n++] = *c->at;
    }
    field[n] = 0;
    if (quoted)
        while (c->at < c->end && *c->at != ',' && *c->at != '\n' && *c->at != '\r') c->at++;
    return true;
}

/* "1,048,576.5": with thousands separators, unless told otherwise. NaN: "n/a", "", "(!) nan". */
static double number(const char *text)
{
    char plain[64], *end;
    size_t n = 0;
    for (; *text && n + 1 < sizeof plain; text++)
        if (*text != ',') plain[n++] = *text;
    plain[n] = 0;
    double v = strtod(plain, &end);
    return n && end != plain && !*end && isfinite(v) && v >= 0 ? v : NAN;
}

/* What a value in this unit is to be multiplied by: bytes and microseconds are wanted. */
static double scale(const char *unit, enum how how)
{
    static const struct {
        const char *unit;
        double to;
    } times[] = {{"ns", 1e-3}, {"nsecond", 1e-3}, {"us", 1},  {"usecond", 1},
                 {"ms", 1e3},  {"msecond", 1e3},  {"s", 1e6}, {"second", 1e6}};
    static const char prefixes[] = "KMGT";
    if (how == DURATION) {
        for (size_t i = 0; i < sizeof times / sizeof *times; i++)
            if (!strcmp(unit, times[i].unit)) return times[i].to;
        return 1e-3; /* the base unit */
    }
    const char *p = *unit ? strchr(prefixes, toupper((unsigned char)*unit)) : NULL;
    return how == AMOUNT && p && !strcmp(unit + 1, "byte") ? pow(1e3, (double)(p - prefixes + 1)) : 1;
}

struct sums {
    double weighted, weight, total, most;
    bool any;
};

static void messages(const char *text, size_t len, struct rg_ncu_result *out)
{
    for (const char *at = text, *end = text + len; at < end;) {
        const char *nl = memchr(at, '\n', (size_t)(end - at));
        size_t n = (size_t)((nl ? nl : end) - at);
        char line[400];
        snprintf(line, sizeof line, "%.*s", n < sizeof line ? (int)n : (int)sizeof line - 1, at);
        bool error = !strncmp(line, "==ERROR==", 9), warning = !strncmp(line, "==WARNING==", 11);
        if (error || warning) {
            if (strstr(line, "ERR_NVGPUCTRPERM")) out->denied = true;
            for (int i = 0; i < N; i++) {
                const char *m = strstr(line, metrics[i].ncu);
                if (m && !isalnum((unsigned char)m[strlen(metrics[i].ncu)])) out->unknown |= UINT64_C(1) << i;
            }
            if (error && !out->complaint[0]) {
                const char *words = line + 9 + strspn(line + 9, " ");
                snprintf(out->complaint, sizeof out->complaint, "%.*s", (int)strcspn(words, "\r"), words);
            }
        }
        at += n + 1;
    }
}

static void add(struct rg_ncu_result *out, const char *name, double value)
{
    if (out->n_counters == RG_MAX_COUNTERS) return;
    struct rg_counter *c = &out->counters[out->n_counters++];
    snprintf(c->name, sizeof c->name, "%s", name);
    c->value = value;
}

static void give(struct rg_ncu_result *out, const struct sums *s)
{
    double stalls[N];
    for (int i = 0; i < N; i++) {
        stalls[i] = -1;
        if (!s[i].any) continue;
        switch (metrics[i].how) {
        case AMOUNT:
        case DURATION:
            add(out, metrics[i].name, s[i].total);
            break;
        case MOST:
            add(out, metrics[i].name, s[i].most);
            break;
        case SHARE:
            add(out, metrics[i].name, s[i].weighted / s[i].weight);
            break;
        case STALL:
            stalls[i] = s[i].weighted / s[i].weight;
            break;
        }
    }
    for (int k = 0; k < TOP_STALLS; k++) {
        int most = -1;
        for (int i = 0; i < N; i++)
            if (stalls[i] > 0 && (most < 0 || stalls[i] > stalls[most])) most = i;
        if (most < 0) break;
        add(out, metrics[most].name, stalls[most]);
        stalls[most] = -1;
    }
}

/* Where the table begins: a line whose first field is "ID". */
static const char *table(const char *text, size_t len)
{
    for (const char *at = text, *end = text + len; at < end;) {
        size_t left = (size_t)(end - at);
        if ((left > 5 && !memcmp(at, "\"ID\",", 5)) || (left > 3 && !memcmp(at, "ID,", 3))) return at;
        const char *nl = memchr(at, '\n', left);
        if (!nl) break;
        at = nl + 1;
    }
    return NULL;
}

void rg__ncu_parse(const char *text, size_t len, struct rg_ncu_result *out)
{
    memset(out, 0, sizeof *out);
    const char *from = table(text, len);
    messages(text, from ? (size_t)(from - text) : len, out);
    if (!from) return;
    struct csv c = {from, text + len};
    struct sums sums[N] = {0};
    signed char which[MAX_COLUMNS];
    double scales[MAX_COLUMNS];
    char field[300];
    int columns = 0;
    for (bool first = true; next_field(&c, &first, field, sizeof field);) {
        if (columns == MAX_COLUMNS) continue;
        which[columns] = -1;
        scales[columns] = 1;
        for (int i = 0; i < N; i++)
            if (!strcmp(field, metrics[i].ncu)) {
                which[columns] = (signed char)i;
                scales[columns] = scale("", metrics[i].how);
            }
        columns++;
    }
    while (c.at < c.end) {
        double row[N], duration = NAN;
        bool units = false, kernel = false;
        for (int i = 0; i < N; i++) row[i] = NAN;
        bool first = true;
        for (int k = 0; next_field(&c, &first, field, sizeof field); k++) {
            if (k == 0) {
                units = !field[0];
                kernel = isdigit((unsigned char)field[0]);
            }
            if (k >= columns || which[k] < 0) continue;
            if (units)
                scales[k] = scale(field, metrics[which[k]].how);
            else
                row[which[k]] = number(field) * scales[k];
            if (metrics[which[k]].how == DURATION) duration = row[which[k]];
        }
        if (!kernel) continue;
        out->launches++;
        double weight = duration > 0 ? duration : 1;
        for (int i = 0; i < N; i++) {
            if (isnan(row[i])) continue;
            sums[i].any = true;
            sums[i].weighted += weight * row[i];
            sums[i].weight += weight;
            sums[i].total += row[i];
            sums[i].most = fmax(sums[i].most, row[i]);
        }
    }
    give(out, sums);
}
