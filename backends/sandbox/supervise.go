//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"os"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// notification and response are struct seccomp_notif and seccomp_notif_resp of the kernel.
type notification struct {
	id         uint64
	pid, flags uint32
	data       [64]byte
}

type response struct {
	id    uint64
	val   int64
	err   int32
	flags uint32
}

// inFlight is how long a thread that was allowed may not be seen yet.
const inFlight = 50 * time.Millisecond

// supervise waits for the listener of the process and decides about each thread that it starts, until it ends. The
// decision is about a number and not about memory, so that letting the call go on is safe.
func (p *Process) supervise() {
	listener := p.receive()
	p.socket.Close()
	if listener == nil {
		return
	}
	defer listener.Close()
	conn, err := listener.SyscallConn()
	if err != nil {
		return
	}
	var recent []time.Time // when threads were allowed
	for over := false; !over; {
		err := conn.Read(func(fd uintptr) bool {
			ready := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(ready, 0)
			switch {
			case err == unix.EINTR:
				return true
			case err != nil, ready[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0 && ready[0].Revents&unix.POLLIN == 0:
				over = true
				return true
			case n == 0:
				return false
			}
			recent = p.decide(fd, recent)
			return true
		})
		if err != nil {
			return
		}
	}
}

// receive gets the listener; nil if the process ended without one, or has no supervisor.
func (p *Process) receive() (listener *os.File) {
	conn, err := p.socket.SyscallConn()
	if err != nil {
		return nil
	}
	_ = conn.Read(func(fd uintptr) bool {
		data, control := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
		_, n, _, _, err := unix.Recvmsg(int(fd), data, control, unix.MSG_CMSG_CLOEXEC)
		if err == unix.EAGAIN || err == unix.EINTR {
			return false
		}
		if list, bad := unix.ParseSocketControlMessage(control[:n]); err == nil && bad == nil && len(list) == 1 {
			if fds, bad := unix.ParseUnixRights(&list[0]); bad == nil && len(fds) == 1 {
				_ = unix.SetNonblock(fds[0], true)
				listener = os.NewFile(uintptr(fds[0]), "seccomp listener")
			}
		}
		return true
	})
	return listener
}

// decide answers one clone: it may go on while the process has fewer threads than it may have, those counted that were
// allowed a moment ago and may not be there yet.
func (p *Process) decide(fd uintptr, recent []time.Time) []time.Time {
	var n notification
	if ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)) != nil {
		return recent // the thread that asked is gone
	}
	now := time.Now()
	for len(recent) > 0 && now.Sub(recent[0]) > inFlight {
		recent = recent[1:]
	}
	r := response{id: n.id, err: -int32(unix.EAGAIN)}
	if threads, err := threadsOf(p.cmd.Process.Pid); err == nil && threads+len(recent) < p.o.Threads {
		r.err, r.flags = 0, unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
		recent = append(recent, now)
	}
	_ = ioctl(fd, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r)) // else the thread is gone
	return recent
}

func ioctl(fd uintptr, request uintptr, arg unsafe.Pointer) error {
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, fd, request, uintptr(arg)); errno != 0 {
		return errno
	}
	return nil
}

// threadsOf is how many threads a process has.
func threadsOf(pid int) (int, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, err
	}
	_, after, _ := bytes.Cut(text, []byte("\nThreads:\t"))
	line, _, _ := bytes.Cut(after, []byte("\n"))
	return strconv.Atoi(string(line))
}
