/* File-scope variables that only main and its like set are parameters while the function runs, sizes among them; what a callee sets, called by
 * name or through a pointer, is an output. */
#include <stdio.h>
static int NX, NY, calls, compared, STEP = 3;
static struct grid { int n; double scale; } G;
static double A[100][100], B[50];
static void twice(int i) { B[i] *= 2; compared = NX; }
static void count(int i) { calls += 1; B[i] += 1; }
static void (*const act)(int) = count;
void set(int nx, int ny) { NX = nx; NY = ny; G.n = ny; G.scale = 2; }
#pragma regraph size(NX=37, NY=23, STEP=3)
#pragma regraph require(NX <= 100) require(NY <= 100) require(STEP >= 1)
void run(double s)
{
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) A[j][i] *= s + STEP;
    for (int k = 0; k < 50; k++) B[k] = G.scale * k;
    for (int k = 0; k < 2; k++) twice(k);
    act(3);
}
int main(int argc, char **argv)
{
    if (argc > 2 && sscanf(argv[1], "%d", &STEP) != 1) return 1;
    set(argc, argc);
    run(2);
    printf("%g %d %d\n", A[0][0], calls, compared);
    return 0;
}
// explain: NX               scalar int
// explain: STEP             scalar int
// not: opaque
// explain: calls            inout  int[1] file-scope variable
// explain: compared         out    int[1] file-scope variable
