// expect: missing_header.c:3:
// expect: no_such_header.h
#include "no_such_header.h"
void f(int n, float *x) { x[0] = n; }
