// expect: of an array of structures is a pointer that is set to another place
struct list { int *at, n; };
#pragma regraph size(n=10)
void f(struct list *l, int n, int *sum) {
    for (int i = 0; i < n; i++) { l[i].at = sum; sum[i] += l[i].n; }
}
