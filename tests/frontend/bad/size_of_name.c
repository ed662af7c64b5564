// the message names what the user wrote, and asks for nothing that decides no work
// expect: no size for 'new';
// expect: --size new=1000000
void f(int new, int mode, int unused, const float *x, float *y)
{
    for (int i = 0; i < new; i++) y[i] = mode == 2 ? x[i] : -x[i];
}
