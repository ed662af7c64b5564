#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/runtime/plan_fixture.h"

static const char *const P =
    "n:int m:int steps:int alpha:float x:in:float[n] y:inout:float[n] a:inout:float[n,m] b:out:float[n,m] "
    "idx:in:int[n] changed:inout:int[1] w:in:float[25] s:inout:body[n] u:inout:unsigned_char[n]";
static const int64_t SIZES[] = {1000, 7, 3};
static const char *const K = "saxpy _Z5saxpyifPKfPf two _Z3twoPKfPfi one _Z3onePf jac _Z3jacPKfPfii mm<16> "
                             "_Z2mmILi16EEvPKfPf relax _Z5relaxPKiPii "
                             "bodies _Z6bodiesP4bodyS0_ vec _Z3vecPK6float4Pf d _Z1ddf any _Z3anyPKvPv l _Z1llmth "
                             "ns::k<float,2> _ZN2ns1kIfLi2EEEvPT_ "
                             "none _Z4nonev u _Z1uPh kk _Z2kkPKii";

static void runs(void **state)
{
    static const struct {
        const char *plan, *log;
    } cases[] = {
        {"saxpy<<<ceil_div(n, 256), 256>>>(n, alpha, x, y);", "0 <4,1,1 256,1,1 0> 1000 p3 b4+0 b5+0\n"},
        {"// a comment\nsaxpy /* here */ <<< dim3(ceil_div(n,16), m, 2), dim3(16, 4), 4*m*sizeof(float) >>> (n-1, "
         "2.5f, x, y + 3);",
         "0 <63,7,2 16,4,1 112> 999 2.5 b4+0 b5+3\n"},
        {"dim3 grid(ceil_div(n, 32), m); dim3 block = dim3(32, 8);\nsaxpy<<<grid, block, 0, 0>>>(n, -1, x, y);",
         "0 <32,7,1 32,8,1 0> 1000 -1 b4+0 b5+0\n"},
        {"scratch float part[ceil_div(n, 1024)];\ntwo<<<1, 32>>>(x, part, n); two<<<1,1>>>(part, y, 1);",
         "scratch part float 1\n0 <1,1,1 32,1,1 0> b4+0 b100+0 1000\n0 <1,1,1 1,1,1 0> b100+0 b5+0 1\n"},
        {"for (int t = 0; t < steps; t++) { jac<<<1, 1>>>(a, b, n, m); swap(a, b); }",
         "0 <1,1,1 1,1,1 0> b6+0 b7+0 1000 7\n0 <1,1,1 1,1,1 0> b7+0 b6+0 1000 7\n0 <1,1,1 1,1,1 0> b6+0 b7+0 1000 "
         "7\n"},
        {"require(n <= 1000 && m > 2); none<<<1, 1>>>();", "0 <1,1,1 1,1,1 0>\n"},
        {"int c = 2; while (c > 0) { none<<<1, c>>>(); c--; } if (c == 0) fill(y, 1.5); else fill(y, 2);",
         "0 <1,1,1 2,1,1 0>\n0 <1,1,1 1,1,1 0>\nfill b5 1000 float 1.5\n"},
        {"int total = read(idx, n - 1); none<<<total, 32>>>();", "read b8[999] 3\n0 <3,1,1 32,1,1 0>\n"},
        {"do { fill(changed, 0); relax<<<1, 64>>>(idx, changed, n); } while (changed[0]);",
         "fill b9 1 int 0\n0 <1,1,1 64,1,1 0> b8+0 b9+0 1000\nread b9[0] 3\nfill b9 1 int 0\n0 <1,1,1 64,1,1 0> b8+0 "
         "b9+0 1000\n"
         "read b9[0] 0\n"},
        {"copy(coef, w, 25); copy(y + 10, x + 20, m); copy(y, x);",
         "copy coef b10+0 25*4\ncopy b5+10 b4+20 7*4\ncopy b5+0 b4+0 1000*4\n"},
        {"[cooperative] none<<<8, 32>>>(); [cluster(2, 1, 1)] none<<<8, 32>>>(); none<<<8, 32>>>[cooperative, "
         "cluster(4)]();",
         "coop 0 <8,1,1 32,1,1 0>\n0 <8,1,1 32,1,1 0> cluster 2,1,1\ncoop 0 <8,1,1 32,1,1 0> cluster 4,1,1\n"},
        {"[cooperative] none<<<min(4, resident_blocks), 8 + 8>>>(); [cooperative] none<<<dim3(resident_blocks, 2), 3, "
         "5>>>();",
         "resident 0 16 0\ncoop 0 <4,1,1 16,1,1 0>\nresident 0 3 5\ncoop 0 <7,2,1 3,1,1 5>\n"},
        {"mm< 16 ><<<1, 1>>>(x, y); ns::k< float , 2 ><<<1, 1>>>(&y[n-1]);",
         "0 <1,1,1 1,1,1 0> b4+0 b5+0\n1 <1,1,1 1,1,1 0> b5+999\n"},
        {"bodies<<<1, 1>>>(s, s + 1); vec<<<1, 1>>>(x, y); any<<<1,1>>>(x, s); fill(s, 0);",
         "0 <1,1,1 1,1,1 0> b11+0 b11+1\n1 <1,1,1 1,1,1 0> b4+0 b5+0\n2 <1,1,1 1,1,1 0> b4+0 b11+0\nfill b11 16000 "
         "unsigned char 0\n"},
        {"scratch struct body tmp[n]; scratch unsigned long long q[2][3]; bodies<<<1, 1>>>(tmp, s);",
         "scratch tmp struct 1000\nscratch q unsigned long long 6\n0 <1,1,1 1,1,1 0> b100+0 b11+0\n"},
        {"int nb = ceil_div(n, 256); const long k = nb*2; scratch float p[k + 1]; one<<<nb, 1>>>(p);",
         "scratch p float 9\n0 <4,1,1 1,1,1 0> b100+0\n"},
        {"one<<<1, 1>>>(y); scratch float late[2]; one<<<1, 1>>>(late);",
         "scratch late float 2\n0 <1,1,1 1,1,1 0> b5+0\n0 <1,1,1 1,1,1 0> b100+0\n"},
        {"d<<<1, 1>>>(1.0f/4, -INFINITY); d<<<1, 1>>>(0.1f, m); d<<<1, 1>>>(alpha, alpha);",
         "0 <1,1,1 1,1,1 0> 0.25 -inf\n0 <1,1,1 1,1,1 0> 0.1 7\n0 <1,1,1 1,1,1 0> p3 p3\n"},
        {"l<<<1,1>>>(-9223372036854775807, 9223372036854775807, 65535, 255);",
         "0 <1,1,1 1,1,1 0> -9223372036854775807 9223372036854775807 65535 255\n"},
        {"fill(u, -1); fill(u, 255); fill(changed, INT_MIN);",
         "fill b12 1000 unsigned char -1\nfill b12 1000 unsigned char 255\nfill b9 1 int -2147483648\n"},
        {"for (int i = 0; i < 2; i++) for (int j = i; j < 2; ++j) none<<<i + 1, j + 1>>>(); for (int i = 4; i > 1; i "
         "/= 2) ;",
         "0 <1,1,1 1,1,1 0>\n0 <1,1,1 2,1,1 0>\n0 <2,1,1 2,1,1 0>\n"},
        {"{ int k = 1, j = k + 1; k += j*2; --j; none<<<k, j>>>(); } int k = 9; none<<<k,1>>>();",
         "0 <5,1,1 1,1,1 0>\n0 <9,1,1 1,1,1 0>\n"},
        {"if (n > 1 && m < 100 || 1/(m-7)) if (m == 8) none<<<1,1>>>(); else none<<<2, 1>>>();", "0 <2,1,1 1,1,1 0>\n"},
        {"for (;;) { none<<<1, 1>>>(); if (changed[0] > 1) break; none<<<2, 1>>>(); }",
         "0 <1,1,1 1,1,1 0>\nread b9[0] 3\n"},
        {"for (int i = 0; i < 2; i++) { while (1) { if (i == i) break; } none<<<1 + i, 1>>>(); }",
         "0 <1,1,1 1,1,1 0>\n0 <2,1,1 1,1,1 0>\n"},
        {"int k = 3; require(n > k - 1); none<<<k, 1>>>();", "0 <3,1,1 1,1,1 0>\n"},
        {"if (y[2] > alpha && !(read(y, 1) < -1.0f)) none<<<1, 1>>>();",
         "read b5[2] 3\nscalar 3\nread b5[1] 0\n0 <1,1,1 1,1,1 0>\n"},
        {"if (abs(y[0] - 2) * 4 >= max(m, 4.5) && y[1] == 0) none<<<1, 1>>>();", "read b5[0] 3\n"},
        {"int go = y[0] < 1e-3 || m > 3; none<<<go + 1, 1>>>();", "read b5[0] 3\n0 <2,1,1 1,1,1 0>\n"},
        {"kk<<<1, 1>>>(idx + (idx[3] > 2 ? 1 : 0), m + idx[0]);",
         "read b8[3] 3\nread b8[0] 0\n0 <1,1,1 1,1,1 0> b8+1 7\n"},
    };
    struct rg_problem *p = make_problem("f", P, SIZES);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        struct rg_error err = RG_ERROR_INIT;
        fake_init(&f);
        f.reads[0] = 3;
        f.n_reads = 2;
        if (run_plan(p, K, cases[i].plan, &f, 0, &err) != RG_OK)
            fail_msg("%s: %d:%d: %s", cases[i].plan, err.line, err.column, err.text);
        const char *log = f.log.data;
        /* What is left bound elsewhere is copied back at the end; its own test follows. */
        char *back = strstr(cases[i].plan, "swap(a, b)") ? strstr(f.log.data, "copy b") : NULL;
        if (back) *back = 0;
        if (!strncmp(log, "scratch spare", 13)) log = strchr(log, '\n') + 1;
        if (strcmp(log, cases[i].log)) fail_msg("%s:\n%s", cases[i].plan, f.log.data);
        rg_buf_release(&f.log);
    }
    drop_problem(p);
}

static void copies_back(void **state)
{
    /* The plan's own meaning of names, worked out by hand: content[i] of parameter i at the end. */
    static const struct {
        const char *plan;
        int64_t a, b, c;
        int copies;
    } cases[] = {
        {"swap(a, b);", 1, 0, 2, 3}, /* a circle of two: through the spare */
        {"swap(a, b); swap(a, b);", 0, 1, 2, 0},
        {"swap(a, b); swap(b, c);", 1, 2, 0, 4}, /* a circle of three */
        {"scratch float t[n]; fill(t, 9); swap(a, t);", 9, 1, 2, 1},
        {"scratch float t[n]; fill(t, 9); swap(a, t); swap(b, t);", 9, 0, 2, 2}, /* a chain */
        {"scratch float t[n]; fill(t, 9); swap(a, t); swap(t, b); swap(b, c);", 9, 2, 0, 3},
        {"for (int i = 0; i < 3; i++) swap(a, b);", 1, 0, 2, 3},
        {"if (n > 5) { swap(a, c); fill(a, 7); }", 7, 1, 0, 3},
    };
    struct rg_problem *p =
        make_problem("f", "a:inout:float[n] b:inout:float[n] c:inout:float[n] n:int", (int64_t[]){10});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fake f;
        struct rg_error err = RG_ERROR_INIT;
        char text[256];
        fake_init(&f);
        snprintf(text, sizeof text, "%s none<<<1,1>>>();", cases[i].plan);
        if (run_plan(p, "none _Z4nonev", text, &f, 0, &err) != RG_OK) fail_msg("%s: %s", text, err.text);
        if (f.content[0] != cases[i].a || f.content[1] != cases[i].b || f.content[2] != cases[i].c)
            fail_msg("%s: %d %d %d\n%s", text, (int)f.content[0], (int)f.content[1], (int)f.content[2], f.log.data);
        int copies = 0;
        for (const char *s = f.log.data; (s = strstr(s, "copy b")); s++) copies++;
        if (copies != cases[i].copies) fail_msg("%s: %d copies\n%s", text, copies, f.log.data);
        rg_buf_release(&f.log);
    }
    drop_problem(p);
}

/* Errors: text, where, and what the message must say. */
static const struct {
    const char *plan;
    int line, column;
    const char *says;
} bad[] = {
    /* parse */
    {"saxpy<<<1, 1>>>(n, alpha, x, y)", 1, 32, "';'"},
    {"saxpy<<<resident_blocks, 1>>>(n, alpha, x, y);", 1, 9, "[cooperative] launch only"},
    {"[cooperative] saxpy<<<1, resident_blocks>>>(n, alpha, x, y);", 1, 26, "[cooperative] launch only"},
    {"int resident_blocks = 3; saxpy<<<1, 1>>>(n, alpha, x, y);", 1, 5, "constant of the language"},
    {"saxpy<<<1>>>(n, alpha, x, y);", 1, 10, "','"},
    {"saxpy<<<1, 1>>(n, alpha, x, y);", 1, 13, "'>>>'"},
    {"\n  saxpy(n);", 2, 3, "launched as"},
    {"cudaMemset(y, 0, n);", 1, 1, "fill(buffer, value)"},
    {"for (;;) none<<<1,1>>>();", 1, 7, "nothing in this loop changes"},
    {"float v = 2;", 1, 1, "integers only"},
    {"int v;", 1, 6, "needs a value"},
    {"x[3] = 4;", 1, 1, "can't write elements"},
    {"if (n > 0) { break; }", 1, 14, "'break' outside of a loop"},
    {"while (n > 0) { break }", 1, 23, "';' after 'break'"},
    {"for (;;) { for (;;) break; }", 1, 7, "nothing in this loop changes"}, /* it leaves the inner one */
    {"scratch float e[1]; none<<<1 + (e[0] > 2), 1>>>();", 1, 33, "can only be compared"},
    {"scratch float e[1]; while (1 + (e[0] > 2)) none<<<1, 1>>>();", 1, 28, "reals are compared in conditions"},
    {"scratch float e[1]; while (e[0] % 2 > 0.5) none<<<1, 1>>>();", 1, 28, "only + - * /"},
    {"scratch struct body e[1]; while (e[0] > 0.5) none<<<1, 1>>>();", 1, 34, "can't be read"},
    {"{ none<<<1,1>>>();", 1, 19, "'}'"},
    {"scratch part[3];", 1, 13, "scratch float name"},
    {"none<<<1, 1, 0, s>>>();", 1, 17, "one stream"},
    {"none<<<dim3(1,2,3,4), 1>>>();", 1, 19, "three"},
    {"mm<16<<<1, 1>>>(x, y);", 1, 3, "template arguments"},
    {"fill(y, 0, n);", 1, 10, "every element"},
    {"copy(3, x);", 1, 6, "expected a buffer"},
    {"[quick] none<<<1,1>>>();", 1, 2, "attributes"},
    {"@", 1, 1, "expected a statement"},
    {"two<<<1, 1>>>(&n, y, 1);", 1, 15, "&x[i]"},
    /* check */
    {"", 1, 1, "empty"},
    {"saxpy<<<1, 1>>>(n, alpha, x);", 1, 1, "takes 4 arguments, not 3"},
    {"saxpy<<<1, 1>>>(n, alpha, y,\n x);", 2, 2, "'x' is an input"},
    {"saxpy<<<1, 1>>>(alpha, n, x, y);", 1, 17, "argument 1 of 'saxpy' must be int: 'alpha' is float"},
    {"saxpy<<<1, 1>>>(1.5, alpha, x, y);", 1, 17, "real number"},
    {"saxpy<<<1, 1>>>(x, alpha, x, y);", 1, 17, "buffer of float"},
    {"saxpy<<<1, 1>>>(n, alpha, idx, y);", 1, 27, "const float *"},
    {"saxpy<<<1, 1>>>(n, alpha, n, y);", 1, 27, "this is an integer"},
    {"saxpy<<<1, 1>>>(n, 2*alpha, x, y);", 1, 22, "integers only"},
    {"saxpy<<<alpha, 1>>>(n, alpha, x, y);", 1, 9, "no integer"},
    {"saxpy<<<x, 1>>>(n, alpha, x, y);", 1, 9, "buffer"},
    {"saxpy<<<1.5, 1>>>(n, alpha, x, y);", 1, 9, "real"},
    {"saxpy<<<q, 1>>>(n, alpha, x, y);", 1, 9, "unknown name 'q'"},
    {"bodies<<<1, 1>>>(y, s);", 1, 18, "must be body *"},
    {"vec<<<1, 1>>>(idx, y);", 1, 15, "const float4 *"},
    {"fill(x, 0);", 1, 1, "input"},
    {"fill(changed, 0.5);", 1, 15, "integer"},
    {"fill(s, 1);", 1, 9, "only be filled with 0"},
    {"fill(q, 1);", 1, 1, "no buffer"},
    {"none<<<1, 1>>>(); require(y[0] > 1);", 1, 27, "depend on data"},
    {"int k = m; require(k > 1);", 1, 12, "'k' is none"},
    {"int k = 3; require(k > 1); k = 2;", 1, 12, "'k' is none"},
    {"if (n) require(n > 1);", 1, 8, "outside of loops"},
    {"require(alpha > 1);", 1, 9, "integers only"},
    {"swap(x, y);", 1, 1, "input"},
    {"swap(y, changed);", 1, 1, "holds"},
    {"swap(y, y);", 1, 1, "itself"},
    {"copy(x, y);", 1, 1, "input"},
    {"copy(changed, y);", 1, 1, "holds"},
    {"copy(y, q);", 1, 1, "no buffer"},
    {"copy(n, x);", 1, 1, "no buffer"},
    {"int n = 3;", 1, 5, "parameter"},
    {"int k = 3; int k = 4;", 1, 16, "already"},
    {"n = 3;", 1, 1, "can't assign"},
    {"k = 3;", 1, 1, "declare it"},
    {"int k = 1.5;", 1, 9, "integers only"},
    {"int k = read(y, 0);", 1, 9, "integer variable"},
    {"int k = y[0];", 1, 9, "integer variable"},
    {"int k = read(n);", 1, 9, "takes a buffer"},
    {"int k = rand();", 1, 9, "unknown function"},
    {"int k = min(1);", 1, 9, "2 arguments"},
    {"int k = sizeof(struct mass);", 1, 9, "unknown type"},
    {"scratch float4 q[n];", 1, 1, "unknown element type"},
    {"scratch float x[n];", 1, 1, "parameter"},
    {"for (int i = 0; i < 3; i++) { scratch float q[n]; }", 1, 31, "outside of loops"},
    {"int k = idx[0]; scratch float q[k];", 1, 33, "scratch is made before"},
    {"int k = 1; k = 2; scratch float q[k];", 1, 35, "scratch is made before"},
    {"scratch float q[idx[0]];", 1, 17, "depend on data"},
    {"one<<<1, 1>>>(q); scratch float q[3];", 1, 15, "unknown name 'q'"},
    {"while (n > 0) none<<<1,1>>>();", 1, 8, "nothing in this loop"},
    {"while (1) { none<<<1,1>>>(); }", 1, 8, "nothing in this loop"},
    {"for (int i = 0; i < n; ) none<<<1,1>>>();", 1, 17, "nothing in this loop"},
    {"for (int i = 0; i < n; i++) { int j = i; } none<<<j,1>>>();", 1, 51, "unknown name 'j'"},
    {"kk<<<1, 1>>>();", 1, 1, "takes 2 arguments, not 0"},
    {"copy(sym + 1, x);", 1, 1, "no offset"},
    /* run */
    {"none<<<n - 1000, 1>>>();", 1, 8, "is 0 in x"},
    {"none<<<-1, 1>>>();", 1, 8, "is -1"},
    {"none<<<1, dim3(32, 64)>>>();", 1, 1, "2048 threads"},
    {"none<<<1, 1025>>>();", 1, 11, "1 to 1024"},
    {"none<<<dim3(1, 65536), 1>>>();", 1, 16, "1 to 65535"},
    {"none<<<3000000000, 1>>>();", 1, 8, "1 to 2147483647"},
    {"none<<<1, 1, -4>>>();", 1, 14, "shared"},
    {"none<<<3, 1>>>[cluster(2)]();", 1, 1, "multiple"},
    {"none<<<n*4000000000000000000, 1>>>();", 1, 8, "overflow"},
    {"none<<<n/(m-7), 1>>>();", 1, 8, "division by zero"},
    {"one<<<1, 1>>>(y + n);", 1, 15, "outside of 'y'"},
    {"one<<<1, 1>>>(y - 1);", 1, 15, "outside of 'y'"},
    {"copy(y, x, n + 1);", 1, 1, "1001 elements"},
    {"copy(y + 1, x);", 1, 1, "at 1 of 'y'"},
    {"copy(y, y + 1, 5);", 1, 1, "overlapping"},
    {"require(n <= 999); none<<<1,1>>>();", 1, 1, "not made for these sizes"},
    {"swap(y, z); none<<<1,1>>>();", 1, 1, "no buffer"},
    {"scratch float z[3]; swap(y, z);", 1, 21, "1000 elements"},
    {"scratch float z[n - n];", 1, 17, "0 elements"},
    {"scratch double z[n*9000000000000000];", 1, 18, "elements"},
    {"fill(u, 256);", 1, 9, "does not fit"},
    {"fill(changed, 3000000000);", 1, 15, "does not fit"},
    {"two<<<1, 1>>>(x, y, 5000000000);", 1, 21, "does not fit into int"},
    {"int k = idx[n];", 1, 9, "element 1000 of 'idx'"},
    {"for (int i = 0; i < 1000000000; i++) none<<<1,1>>>();", 1, 38, "launches"},
    {"for (int i = 0; i < 10; i += 0) ;", 1, 1, "iterations"},
};

static void refuses(void **state)
{
    struct rg_problem *p = make_problem("f", P, SIZES);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fake f;
        struct rg_error err = RG_ERROR_INIT;
        fake_init(&f);
        if (run_plan(p, K, bad[i].plan, &f, 1000, &err) == RG_OK) fail_msg("accepted: %s", bad[i].plan);
        if (!strstr(err.text, bad[i].says) || err.line != bad[i].line || err.column != bad[i].column)
            fail_msg("%s: %d:%d: %s", bad[i].plan, err.line, err.column, err.text);
        assert_string_equal(err.file, "plan");
        assert_int_not_equal(run_plan(p, K, bad[i].plan, &f, 1000, NULL), RG_OK);
        rg_buf_release(&f.log);
    }
    drop_problem(p);
}

/* A model mends everything at once: what else is wrong is told too, each thing once, at its first use. */
static void tells_all(void **state)
{
    static const struct {
        const char *plan, *first;
        int line;
        const char *more[6]; /* lines of the text, in order */
    } cases[] = {
        {"do { fill(changed2, 0);\nnone<<<1, 1>>>();\none<<<nb, 1>>>(q); } while (changed2[0] < nb);",
         "'changed2' is no buffer",
         1,
         {"plan:3:7: unknown name 'nb'", "plan:3:16: unknown name 'q'"}},
        {"two<<<x, 1.5>>>(x, 3, y);\nsaxpy<<<1, 1>>>(1.5, alpha, n, y);",
         "'x' is a buffer",
         1,
         {"plan:1:10: a real number where", "plan:1:20: argument 2 of 'two' must be float *",
          "plan:1:23: argument 3 of 'two' must be int", "plan:2:17: argument 1 of 'saxpy' must be int",
          "plan:2:29: argument 3"}},
        {"int k = 1.5;\nnone<<<k, 1>>>();\nscratch float z[idx[0]];\nfill(z, 0);\nswap(y, y);",
         "'k' is an integer variable",
         1,
         {"plan:3:17: scratch is made", "plan:5:1: swap of 'y' with itself"}},
        {"float v = 2;\nfor (int i = 0; i < n; i++) { cudaMemset(y, 0); none<<<1, 1>>>(); x[3] = 1; "
         "}\nnone<<<1>>>();\nfill(y, 0);",
         "integers only",
         1,
         {"plan:2:31: host calls", "plan:2:67: a plan can't write", "plan:3:9: expected ','"}},
        {"for (int i = 0; i < n; i++ { none<<<1, 1>>>(); }\nfill(y);", "')'", 1, {"plan:2:7: expected ','"}},
        /* a statement that can't be read keeps no unknown name elsewhere from being told; what it may have declared is
         * none, nor is what looks wrong without it */
        {"fill(moved 0);\nnone<<<nb, 1>>>();\nk = 1;\nfill(moved, 0);",
         "expected ','",
         1,
         {"plan:2:8: unknown name 'nb'", "plan:3:1: unknown variable 'k'", "plan:4:1: 'moved' is no buffer"}},
        {"scratch int flag 1];\ndo { fill(flag, 0); none<<<blocks, q>>>(); } while (flag[0]);\nint blocks 3;",
         "expected '['",
         1,
         {"plan:3:12: an integer variable needs", "plan:2:36: unknown name 'q'"}},
        {"cudaMalloc(&next, n);\nint go = 1;\nwhile (go) { none<<<1, 1>>>(); go next; }\nfill(next, 0);",
         "host calls",
         1,
         {"plan:3:35: expected '='"}},
    };
    struct rg_problem *p = make_problem("f", P, SIZES);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct rg_error err = RG_ERROR_INIT;
        assert_int_equal(run_plan(p, K, cases[i].plan, NULL, 0, &err), RG_INPUT);
        const char *line = err.text;
        if (!strstr(line, cases[i].first) || err.line != cases[i].line)
            fail_msg("%s: %d: %s", cases[i].plan, err.line, err.text);
        int n = 0;
        for (; n < 6 && cases[i].more[n]; n++) {
            line = strchr(line, '\n');
            if (!line || strncmp(++line, cases[i].more[n], strlen(cases[i].more[n])))
                fail_msg("%s: %d:%d: %s\nno %s", cases[i].plan, err.line, err.column, err.text, cases[i].more[n]);
        }
        if (strchr(line, '\n')) fail_msg("%s: more than there is: %s", cases[i].plan, err.text);
    }
    drop_problem(p);
}

static void limits(void **state)
{
    static const char *const unit[] = {"{",        "if (1) ", "do ", "for (int i = 0; i < 1; i++) ", "(", "none<",
                                       "none<<<(", "[",       "a::"};
    struct rg_plan *plan;
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        struct rg_buf b = RG_BUF_INIT;
        for (int k = 0; k < 20000; k++) rg_buf_str(&b, unit[i]);
        assert_int_equal(rg_plan_parse(b.data, &plan, NULL), RG_INPUT);
        assert_null(plan);
        rg_buf_release(&b);
    }
    struct rg_buf b = RG_BUF_INIT;
    for (int k = 0; k < 10000; k++) rg_buf_str(&b, "fill(y, 0);\n");
    assert_int_equal(rg_plan_parse(b.data, &plan, NULL), RG_INPUT);
    rg_buf_release(&b);
    rg_plan_free(NULL);
}

static void names_kernels_once(void **state)
{
    struct rg_plan *plan;
    assert_int_equal(rg_plan_parse("k<<<1,1>>>(); mm< 16,\n 4 ><<<1,1>>>(); k<<<2,1>>>(); mm<16,4><<<1,1>>>(); "
                                   "t<unsigned  int><<<1,1>>>();",
                                   &plan, NULL),
                     RG_OK);
    assert_int_equal(plan->n_kernels, 3);
    assert_string_equal(plan->kernels[0], "k");
    assert_string_equal(plan->kernels[1], "mm<16,4>");
    assert_string_equal(plan->kernels[2], "t<unsigned int>");
    assert_int_equal(plan->stmts[2]->kernel_index, 0);
    assert_int_equal(plan->stmts[3]->kernel_index, 1);
    assert_false(plan->reads_data);
    rg_plan_free(plan);
    assert_int_equal(rg_plan_parse("while (changed[0]) k<<<1,1>>>();", &plan, NULL), RG_OK);
    assert_true(plan->reads_data);
    rg_plan_free(plan);
}

/* Checking twice, first without and then with signatures, is what the workers do. */
static void check_is_repeatable(void **state)
{
    struct rg_problem *p = make_problem("f", P, SIZES);
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_plan *plan;
    struct fake f;
    fake_init(&f);
    assert_int_equal(rg_plan_parse("saxpy<<<1, 32>>>(n, alpha, x, y + m - 1 + 2);", &plan, NULL), RG_OK);
    struct rg_kernel_sig *sigs = make_sigs(&a, plan, K, NULL);
    assert_int_equal(rg_plan_check(plan, p, NULL, NULL), RG_OK);
    assert_int_equal(rg_plan_check(plan, p, sigs, NULL), RG_OK);
    assert_int_equal(rg_plan_check(plan, p, sigs, NULL), RG_OK);
    assert_int_equal(rg_plan_run(plan, p, &p->sizes[0], sigs, &f.ops, 0, NULL), RG_OK);
    assert_string_equal(f.log.data, "0 <1,1,1 32,1,1 0> 1000 p3 b4+0 b5+8\n");
    rg_buf_release(&f.log);
    rg_plan_free(plan);
    rg_arena_release(&a);
    drop_problem(p);
}

static void struct_names(void **state)
{
    struct rg_problem *p = make_problem("f", "n:int s:inout:body[n]", (int64_t[]){4});
    p->device_decls =
        "typedef struct tag { float pos[3]; float mass; } body_t; typedef body_t particle; enum color { RED };";
    p->structs[0].c_name = "particle";
    struct rg_error err = RG_ERROR_INIT;
    if (run_plan(p, "k _Z1kP3tag", "scratch body_t q[2]; k<<<1,1>>>(s);", NULL, 0, &err) != RG_OK)
        fail_msg("%s", err.text);
    assert_int_equal(run_plan(p, "k _Z1kP5other", "k<<<1,1>>>(s);", NULL, 0, &err), RG_INPUT);
    struct fake f;
    fake_init(&f);
    rg_error_clear(&err);
    if (run_plan(p, "e _Z1eP5color5color", "scratch int c[n]; e<<<1,1>>>(c, 2);", &f, 0, &err) != RG_OK)
        fail_msg("%s", err.text);
    assert_int_equal(run_plan(p, "e _Z1eP6colour", "scratch int c[n]; e<<<1,1>>>(c);", &f, 0, &err), RG_INPUT);
    rg_buf_release(&f.log);
    drop_problem(p);
}

/* Every plan of the measured kernels, with the mangled names nvcc gave: file, parameters, sizes, kernels, plan. */
static void measured_kernels(void **state)
{
    char path[512], line[8192];
    snprintf(path, sizeof path, "%.*sshared_plans.txt", (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    int n = 0;
    while (fgets(line, sizeof line, file)) {
        char *field[5], *save = NULL;
        int k = 0;
        line[strcspn(line, "\n")] = 0;
        for (char *t = strtok_r(line, "\t", &save); t && k < 5; t = strtok_r(NULL, "\t", &save)) field[k++] = t;
        assert_int_equal(k, 5);
        int64_t sizes[4] = {0};
        char *end = field[2];
        for (int i = 0; i < 4 && *end; i++) sizes[i] = strtoll(end, &end, 10);
        struct rg_problem *p = make_problem("f", field[1], sizes);
        struct fake f;
        struct rg_error err = RG_ERROR_INIT;
        fake_init(&f);
        if (run_plan(p, field[3], field[4], &f, 0, &err) != RG_OK)
            fail_msg("%s: %d:%d: %s", field[0], err.line, err.column, err.text);
        assert_true(f.n_launches >= 1);
        rg_buf_release(&f.log);
        drop_problem(p);
        n++;
    }
    fclose(file);
    assert_int_equal(n, 103);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),
        cmocka_unit_test(copies_back),
        cmocka_unit_test(refuses),
        cmocka_unit_test(tells_all),
        cmocka_unit_test(limits),
        cmocka_unit_test(names_kernels_once),
        cmocka_unit_test(check_is_repeatable),
        cmocka_unit_test(struct_names),
        cmocka_unit_test(measured_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
