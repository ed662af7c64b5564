// Three pointers into one array: the middle one is the end of a part and the start of another. want: parallel
void ends_middle(float *first, float *middle, float *last, float k)
{
    for (float *p = first; p < middle; p++) *p *= k;
    for (float *q = middle; q < last; q++) *q += k;
}
