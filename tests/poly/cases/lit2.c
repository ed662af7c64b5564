// Nested initialisers, designators out of order, tables, narrowing. want: parallel
#include <math.h>
#pragma regraph size(n=3000) size(n=37)
typedef struct { int id; float w[3]; } item;
struct pair { item a; double s; };
static const float K[2][3] = { 1, 2, 3, 4, 5, 6 };
static const float D[5] = { [3] = 7, [1] = 2 };
static const struct pair P[2] = { { .a = { 3, { 1, 2, 3 } }, .s = 2 }, { { .id = 1, .w = { [2] = 9 } }, 4 } };
static struct pair make(int i, float x) { return (struct pair){ .s = i, .a = { i, { x, x * 2 } } }; }
void lit2(int n, const float p[n], double out[n], item it[n]) {
    for (int i = 0; i < n; i++) {
        struct pair q = make(i, p[i]);
        item z = { i, { i, p[i] } };
        if (p[i] > 0) z = (item){ .w = { 4 } };
        it[i] = z;
        float loc[4] = { i, p[i] };
        out[i] = q.s + q.a.w[1] + K[i % 2][i % 3] + D[i % 5] + P[i % 2].a.w[2] + P[i % 2].s + loc[i % 4] + (float){ 3 };
    }
}
