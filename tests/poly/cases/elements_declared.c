// An array of structures with pointers, declared as long as a size, rows that a flag leaves out. want: parallel
typedef struct { const int *at; int n; _Bool on; enum { RED, BLUE } col; } list;
#pragma regraph size(n=40) size(n=7)
void elements_declared(int n, const list l[n], int sum[n]) { for (int i = 0; i < n; i++) { int s = l[i].col == BLUE; for (int k = 0; k < l[i].n && l[i].on; k++) s += l[i].at[k]; sum[i] = s; } }
