// expect: pointer_in_struct.c:4:31: the member 'm.data' of an array of structures is a pointer that is set
// expect: nothing can be said of what it leads to
#pragma regraph size(n=4)
struct matrix { int n; float *data; };
void f(int n, struct matrix *m) { for (int i = 1; i < n; i++) m[i].data = m[i - 1].data; }
