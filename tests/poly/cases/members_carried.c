// Members that are made of the element before's: ranks with ties, sums that run along. want: parallel
typedef struct {
    int id, score, rank;
    double weight;
    struct { double sum; float tag[2]; } run;
} player;
#pragma regraph size(n=900) size(n=8)
double members_carried(player *p, int n)
{
    for (int i = 0; i < n; i++) {
        if (i > 0 && p[i].score % 5 == p[i - 1].score % 5) {
            p[i].rank = p[i - 1].rank;
        } else {
            p[i].rank = i + 1;
        }
    }
    p[0].run.sum = p[0].weight;
    for (int i = 1; i < n; i++) p[i].run.sum = p[i - 1].run.sum + p[i].weight;
    return p[n - 1].run.sum;
}
