// expect: columns_deep.c:3:29: the member 'l.of' of an array of structures leads to structures that hold pointers again
struct list { int *at, n; };
struct lists { struct list *of; int n; };
#pragma regraph size(n=10)
void f(struct lists *l, int n, int *sum)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l[i].n; k++) sum[i] += l[i].of[k].n;
}
