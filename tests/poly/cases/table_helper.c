// A helper gets the number of a structure with pointers in a small table, from a loop over them. want: parallel
#pragma regraph size(e.n=40) size(e.n=7)
enum which { LUMA, BLUE, RED, WHICH };
struct plane { int w, h; unsigned char *pix; };
struct picture { int n; struct plane pl[WHICH]; };
static void halve(struct picture *e, enum which id)
{
    struct plane *p = &e->pl[id];
    for (int i = 0; i < p->w * p->h; i++) p->pix[i] /= id == LUMA ? 2 : 3;
}
void table_helper(struct picture *e)
{
    for (int i = 0; i < WHICH; i++) halve(e, i);
}
