# A small Slurm of our own: one slurmctld and two nodes on this host, each of four CPUs and a GPU by name, with a munge of their own. Sourced.
# Without cgroups (a container may have none to give): proctrack/linuxproc, task/none.
slurm_missing() { # why there can be none here; nothing: there can
    [ "$(id -u)" = 0 ] || { echo "needs root"; return; }
    for p in munged munge slurmctld slurmd sbatch srun scontrol squeue sinfo; do command -v $p >/dev/null || { echo "no $p"; return; }; done
}
slurmd_start() { slurmd -f "$SLURM_CONF" -N "$1" >/dev/null 2>&1; }
slurmd_pid() { cat "$C/$1.pid" 2>/dev/null; }
slurm_start() { # folder
    C=$1; mkdir -p "$C"/{ctld,n1,n2,m}; chmod 755 "$C"; H=$(hostname -s)
    base=$((20000 + $$ % 10000 * 3)); export SLURM_CONF=$C/slurm.conf
    head -c 1024 /dev/urandom >"$C/m/key"; chmod 400 "$C/m/key"; chown -R munge "$C/m"; chmod 755 "$C/m"
    runuser -u munge -- munged --key-file="$C/m/key" --socket="$C/m/socket" --pid-file="$C/m/pid" --log-file="$C/m/log" --seed-file="$C/m/seed" --force >/dev/null 2>&1 || return 1
    cat >"$SLURM_CONF" <<T
ClusterName=test
SlurmctldHost=$H(127.0.0.1)
SlurmctldPort=$base
AuthType=auth/munge
AuthInfo=socket=$C/m/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$C/ctld
SlurmctldPidFile=$C/ctld.pid
SlurmdPidFile=$C/%n.pid
SlurmdSpoolDir=$C/%n
SlurmctldLogFile=$C/ctld.log
SlurmdLogFile=$C/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SlurmdTimeout=5
KillWait=5
ReturnToService=2
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
GresTypes=gpu
NodeName=n1 NodeHostname=$H NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=4 RealMemory=2000 Gres=gpu:1
NodeName=n2 NodeHostname=$H NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=4 RealMemory=2000 Gres=gpu:1
PartitionName=p Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
T
    for n in n1 n2; do echo "NodeName=$n Name=gpu File=/dev/null"; done >"$C/gres.conf" # no driver is asked
    slurmctld -f "$SLURM_CONF" -c >/dev/null 2>&1; slurmd_start n1; slurmd_start n2
    for _ in $(seq 100); do [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && return; sleep 0.2; done
    return 1
}
slurm_stop() {
    for f in n1 n2 ctld; do [ -s "$C/$f.pid" ] && kill "$(cat "$C/$f.pid")" 2>/dev/null; done
    [ -s "$C/m/pid" ] && kill "$(cat "$C/m/pid")" 2>/dev/null
    sleep 0.5
}
# A requeued job waits two minutes by default; and where machines are slow it must not reach its limit again at once.
no_waiting() { squeue -h -r -t pending -o '%i %r' | awk '$2 == "BeginTime" { print $1 }' | while read -r j; do scontrol update JobId="$j" StartTime=now TimeLimit=30 2>/dev/null; done; }
