// Ranks with ties beside a count of them: the condition has a name, and says that the first element asks for none before. want: parallel
#pragma regraph size(n=900) size(n=8) size(n=1) extent(p: n)
typedef struct {
    int points, goals;
    unsigned id;
    int rank;
} team;
int members_carried_named(team *p, unsigned long n)
{
    int different = 0;
    for (unsigned long i = 0; i < n; i++) {
        if (i && p[i].points % 7 == p[i - 1].points % 7 && p[i].goals % 2 == p[i - 1].goals % 2)
            p[i].rank = p[i - 1].rank;
        else {
            p[i].rank = (int)i + 1;
            different++;
        }
    }
    return different;
}
