// expect: pointers inside structs cannot be transferred
struct list { const int *at; int n, seen; };
#pragma regraph size(n=10)
void f(struct list *l, int n, int *sum) {
    for (int i = 0; i < n; i++) { struct list t = l[i]; l[i].seen = 1; int s = 0; for (int k = 0; k < t.n; k++) s += t.at[k]; sum[i] = s + t.seen; }
}
