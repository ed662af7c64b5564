// expect: not_c_undeclared.c:5:
// expect: undeclared
void f(int n, float *x)
{
    x[0] = undefined_thing;
}
