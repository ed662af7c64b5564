// One pointer goes along one array, then along another, from members and parameters. want: parallel
typedef struct {
    float *x, *y;
    int n;
} pair;
float pointers_in_turn(pair *v, float *z, float a)
{
    float *p = v->x, *q, s = 0;
    int i;
    for (i = 0; i < v->n; i++) *p++ *= a;
    p = v->y;
    q = z;
    for (i = 0; i < v->n; i++) *p++ += *q++;
    p = z;
    q = v->x + 1;
    for (i = 0; i + 1 < v->n; i++) s += *p++ * *q++;
    return s;
}
