// expect: is a void pointer that is converted to no type that is known: more than 15 others are set to it
#pragma regraph size(n=4)
void f(int n, const void *x, float *restrict o)
{
    const void *p0 = x;
    const void *p1 = p0;
    const void *p2 = p1;
    const void *p3 = p2;
    const void *p4 = p3;
    const void *p5 = p4;
    const void *p6 = p5;
    const void *p7 = p6;
    const void *p8 = p7;
    const void *p9 = p8;
    const void *p10 = p9;
    const void *p11 = p10;
    const void *p12 = p11;
    const void *p13 = p12;
    const void *p14 = p13;
    const void *p15 = p14;
    const void *p16 = p15;
    const void *p17 = p16;
    const float *y = x;
    const int *z = p17;
    for (int i = 0; i < n; i++) o[i] = y[i] + (float)z[i];
}
