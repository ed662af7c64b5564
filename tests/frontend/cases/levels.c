// function: cycle
// function: down_and_up
// function: absent
// function: left_in_the_middle
// function: ends_at_one
// function: set_on_one_way
/* tables of levels, as many as sizes say */
#include <stdlib.h>
#include <string.h>

struct level {
    int n;
    float h, *u, *r;
};

static void halve(const struct level *fine, struct level *coarse)
{
    for (int i = 0; i < coarse->n; i++) {
        int k = 2 * i + 1 < fine->n ? 2 * i + 1 : 2 * i;
        coarse->u[i] = 0.5f * (fine->u[2 * i] + fine->u[k]);
    }
}

static void visit(struct level *at, int l, int levels)
{
    for (int i = 0; i < at[l].n; i++) at[l].r[i] = at[l].h * at[l].u[i] + l;
    if (l == levels - 1) {
        for (int i = 0; i < at[l].n; i++) at[l].u[i] += 100 * levels;
        return;
    }
    halve(&at[l], &at[l + 1]);
    visit(at, l + 1, levels);
    for (int i = 0; i < at[l].n; i++) at[l].u[i] += at[l + 1].u[i / 2] + at[l].r[i];
}

#pragma regraph size(n=40, times=2) size(n=9, times=1) size(n=3, times=2) size(n=21, times=1)
int cycle(int n, int times, const float in[n], float out[n])
{
    struct level at[10];
    int levels = 0, m = n;
    for (;;) {
        struct level *p = &at[levels++];
        p->n = m;
        p->h = 1.0f / m;
        p->u = calloc(m, sizeof *p->u);
        p->r = malloc(m * sizeof *p->r);
        if (m <= 3 || m % 4 == 3 || levels == 10) break;
        m = (m + 1) / 2;
    }
    memcpy(at[0].u, in, n * sizeof *in);
    for (int t = 0; t < times; t++) visit(at, 0, levels);
    memcpy(out, at[0].u, n * sizeof *out);
    for (int l = 0; l < levels; l++) {
        free(at[l].u);
        free(at[l].r);
    }
    return 1000 * levels + m;
}

#pragma regraph size(n=50) size(n=17) size(n=6) size(n=100) require(n >= 4)
void down_and_up(int n, const float in[n], float out[n])
{
    float *row[12];
    int length[12], levels = 0;
    for (int m = n; m >= 4 && levels < 12; m /= 2) {
        length[levels] = m;
        row[levels] = malloc(m * sizeof(float));
        levels++;
    }
    for (int i = 0; i < n; i++) row[0][i] = in[i];
    for (int l = 1; l < levels; l++)
        for (int i = 0; i < length[l]; i++) row[l][i] = row[l - 1][2 * i] - row[l - 1][2 * i + 1];
    for (int l = levels - 1; l > 0; l--)
        for (int i = 0; i < length[l]; i++) row[l - 1][2 * i] += (l + 1) * row[l][i];
    for (int i = 0; i < n; i++) out[i] = row[0][i] + levels;
    for (int l = 0; l < levels; l++) free(row[l]);
}

/* what no level set is what it was */
#pragma regraph size(n=30) size(n=9) size(n=4)
void absent(int n, const float in[n], float out[n])
{
    struct level *at = calloc(6, sizeof *at);
    int levels = 0, last = 7;
    for (int m = n; m > 4 && levels < 6; m = m / 2) {
        at[levels].n = m;
        at[levels].u = malloc(m * sizeof(float));
        for (int i = 0; i < m; i++) at[levels].u[i] = in[i] * (levels + 1);
        last = m;
        levels++;
    }
    for (int i = 0; i < n; i++) out[i] = in[i] + at[1].n + 2 * at[2].n + 4 * at[3].n + last;
    for (int l = 0; l < levels; l++)
        for (int i = 0; i < at[l].n; i++) out[i] += at[l].u[i];
    for (int l = 0; l < levels; l++) free(at[l].u);
    free(at);
}

#pragma regraph size(n=64) size(n=24) size(n=8) require(n >= 4)
void left_in_the_middle(int n, const float in[n], float out[n])
{
    struct level at[8];
    int levels = 0, m = n;
    while (levels < 8) {
        at[levels].n = m;
        at[levels].u = malloc(m * sizeof(float));
        for (int i = 0; i < m; i++) at[levels].u[i] = in[i] + levels;
        levels++;
        if (m < 8) break;
        m = (m + 1) / 2;
    }
    for (int i = 0; i < n; i++) out[i] = 0;
    for (int l = levels - 1; l >= 0; --l) {
        if (l < levels - 1)
            for (int i = 0; i < at[l].n; i++) out[i] += at[l].u[i] * at[l + 1].u[i / 2];
        else
            for (int i = 0; i < at[l].n; i++) out[i] -= at[l].u[i];
    }
    for (int l = 0; l < levels; l++) free(at[l].u);
}

#pragma regraph size(n=12) size(n=5) size(n=1)
void ends_at_one(int n, const float in[n], float out[n])
{
    struct level at[8];
    int levels = 0;
    for (int m = n; m >= 1 && levels < 8; m = m / 2, levels++) {
        at[levels].n = m;
        at[levels].u = malloc(m * sizeof(float));
    }
    for (int i = 0; i < n; i++) at[0].u[i] = in[i];
    for (int l = 0; l + 1 < levels; l++) halve(&at[l], &at[l + 1]);
    for (int i = 0; i < n; i++) out[i] = at[0].u[i] + levels;
    for (int l = 1; l < levels; l++)
        for (int i = 0; i < at[l].n; i++) out[i] += at[l].u[i];
    for (int l = 0; l < levels; l++) free(at[l].u);
}

/* the number that a level leaves, or another */
#pragma regraph size(n=20) size(n=3) size(n=7)
void set_on_one_way(int n, const float in[n], float out[n])
{
    struct level at[8];
    int levels = 0, k;
    if (n < 5) k = 2;
    else at[1].n = 5;
    for (int m = n; m > 4 && levels < 8; m = m / 2) {
        at[levels].n = m;
        at[levels].u = malloc(m * sizeof(float));
        for (int i = 0; i < m; i++) at[levels].u[i] = in[i] * (levels + 1);
        levels++;
        k = levels;
    }
    for (int i = 0; i < n; i++) out[i] = in[i] * k;
    if (n >= 5) out[0] += at[1].n;
    for (int l = 0; l < levels; l++)
        for (int i = 0; i < at[l].n; i++) out[i] += at[l].u[i];
    for (int l = 0; l < levels; l++) free(at[l].u);
}
