// expect: size_zero_end.c:2:47: size first=0,count=9: 'first' is 0; it must be positive
#pragma regraph extent(x: first + count) size(first=0,count=9)
void scale(float *x, int first, int count)
{
    for (int i = 0; i < first + count; i++) x[i] = 2.0f * x[i];
}
