// expect: pointer_in_struct.c:3:31
// expect: member 'data' is a pointer
struct matrix { int n; float *data; };
#pragma regraph size(n=4)
void f(int n, struct matrix *m) { for (int i = 0; i < n; i++) m[i].n = 0; }
