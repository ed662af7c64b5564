// Another member of the element before is changed by what reads it: iterations keep their order. want: sequential
typedef struct {
    int score, rank, last;
} player;
#pragma regraph size(n=900) size(n=8)
void members_carried_not(player *p, int n)
{
    for (int i = 1; i < n; i++) {
        p[i].rank = p[i - 1].rank * 3 + p[i - 1].last * (p[i].score & 1);
        p[i].last = p[i].rank * 5 + p[i].score;
    }
}
