// The first and the end go on to functions of the file, one of which returns where it stopped. want: parallel
typedef struct {
    int id;
    float w;
} item;
static const item *find(const item *first, const item *last, int id)
{
    for (; first != last; ++first)
        if (first->id == id) return first;
    return last;
}
static float sum(const item *b, const item *e)
{
    float s = 0;
    for (; b != e; b++) s += b->w;
    return s;
}
float ends_passed(const item *first, const item *last, int id)
{
    const item *it = find(first, last, id);
    return sum(first, last) / (float)(last - first) + (it == last ? -1 : it->w);
}
