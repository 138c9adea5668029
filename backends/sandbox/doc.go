// Package sandbox closes a process in, so that what runs in it from then on can
// compute and do nothing else: no files, no network, no processes.
//
// Three layers, each of which holds when another has a hole:
//
//   - Close puts a seccomp filter on all threads: a list of the system calls that
//     memory, threads of the same process, time and the descriptors already open
//     take. Everything else is refused with SIGSYS, or with an error where libraries
//     ask without need. A call in the convention of another architecture (int 0x80,
//     x32) kills the process: its numbers mean other calls.
//   - Landlock, where the kernel has it. Start a process from a thread on which ReadOnly was called. From its
//     first instruction on, all of its threads open files for reading alone, and have no TCP and no signals
//     to others; so no second exec is needed to reach the threads that Go starts before main. Close then
//     takes reading away from the calling thread and from those that it starts.
//   - Limits: no core dumps, no descriptors beyond those there are, and memory and threads counted twice: by the process's
//     own limits (Limits), and from outside by who starts it (Start): by a control group where one may be
//     made. Elsewhere its memory is looked at now and then, and a supervisor counts threads, whom the kernel
//     asks about each clone (seccomp's user notification).
//
// Of root's capabilities the process has those to read files alone, until it can read none.
//
// PROT_EXEC is not refused: the process compiles, and may compile again. Nothing is
// lost by it: the filter takes every instruction to be the program's.
//
// RLIMIT_NPROC is not set. It counts all threads of the user, so that it would fail
// for reasons outside of the process; processes are refused anyway, and the memory
// that threads take for their stacks is limited, and so is their number.
package sandbox
