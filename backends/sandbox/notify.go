//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"strconv"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// supervisorEnv holds the descriptor of the socket by which a process hands its supervisor the right to decide about clone.
const supervisorEnv = "IRC_SUPERVISOR"

// Supervised is how many descriptors of a process that Start started are its supervisor's: they follow those that
// the process was given, up to where Close closes them.
func Supervised() int {
	if os.Getenv(supervisorEnv) == "" {
		return 0
	}
	return 1
}

// notifying is a filter that asks the supervisor about clone. Of two filters the stricter answer holds, so that the other
// one still refuses what is no thread.
func notifying() ([]bpf.RawInstruction, error) {
	p := []bpf.Instruction{
		bpf.LoadAbsolute{Off: atNumber, Size: 4},
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.SYS_CLONE, SkipFalse: 1}, give(unix.SECCOMP_RET_USER_NOTIF),
		allow,
	}
	return bpf.Assemble(p)
}

// askSupervisor has each clone of this process wait for the word of its supervisor; false if there is none, or if the
// kernel cannot do it (before 5.7), or another supervisor has the process already.
func askSupervisor() bool {
	socket, err := strconv.Atoi(os.Getenv(supervisorEnv))
	if err != nil {
		return false
	}
	os.Unsetenv(supervisorEnv)
	defer unix.Close(socket)
	raw, err := notifying()
	if err != nil || unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return false
	}
	const flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH
	listener, err := put(raw, flags|unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW)
	if err != nil {
		return false
	}
	// Until this arrives, threads that Go starts wait.
	err = unix.Sendmsg(socket, []byte{1}, unix.UnixRights(listener), nil, 0)
	unix.Close(listener)
	return err == nil // else each clone fails: nobody listens
}
