/* How many CPUs this process may use: what its affinity and the quotas of its cgroups leave of the machine. */
#ifndef RG_CPUS_H
#define RG_CPUS_H
#include <rg/decls.h>
#include <stdbool.h>

RG_BEGIN_DECLS

/* At least 1. Affinity is asked at every call; quotas are read once, at the first: a process that closes its file
 * system off calls it before. Threads: any. */
int rg_cpus(void);

/* The numbers of the CPUs in this process's affinity, ascending, malloc'd; *n of them (0: not known). */
int *rg_cpus_list(int *n);
/* Of the calling thread and what it starts from here on: these CPUs alone. False when the system refuses. */
bool rg_cpus_bind(const int *cpus, int n);

/* The least CPU quota over the cgroups of a process and their parents, in CPUs (1.5); 0: none. The files are
 * /proc/PID/cgroup and /proc/PID/mountinfo; of version 2 `cpu.max`, of version 1 `cpu.cfs_quota_us` over
 * `cpu.cfs_period_us`. */
double rg_cpus_quota(const char *cgroup_file, const char *mountinfo_file);
RG_END_DECLS
#endif
