// expect: pointer_in_struct.c:6:
// expect: is an array of structures that hold pointers
// expect: arrays of their own
struct matrix { int n; float *data; };
#pragma regraph size(n=4)
void f(int n, struct matrix *m) { for (int i = 0; i < n; i++) m[i].n = 0; }
