//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// An Outside is how a process is held in by who starts it, besides what it does itself (Close, Limits).
type Outside struct {
	Memory  int64 // bytes that it may have of all kinds; negative is no limit
	Threads int
	NoGroup bool   // make no control group: what else there is holds the limits
	Free    bool   // nothing of all that; the process only ends with this one
	Ended   func() // called when it has been waited for
}

// A Process is one that is held in.
type Process struct {
	cmd    *exec.Cmd
	o      Outside
	group  *group
	socket *os.File // of the supervisor
	closed sync.Once
	memory atomic.Int64 // what it may have now
	over   atomic.Bool  // it was ended for its memory
	gone   chan struct{}
}

// pollMemory is how often the memory of a process without a control group is looked at.
const pollMemory = 20 * time.Millisecond

// Start starts a command that ends with this process and whose memory and threads are counted. Landlock and
// its capabilities let it read files, and nothing else. Its main must call Close. It may get one descriptor
// more than ExtraFiles has, and an environment variable.
func Start(cmd *exec.Cmd, o Outside) (*Process, error) {
	p := &Process{cmd: cmd, o: o, gone: make(chan struct{})}
	p.memory.Store(o.Memory)
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	if !o.Free {
		theirs, err := p.supervisor()
		if err != nil {
			return nil, err
		}
		defer theirs.Close()
		if !o.NoGroup {
			p.group = newGroup(trees(), o.Threads, o.Memory)
		}
	}
	started := make(chan error, 1)
	go p.live(started)
	if err := <-started; err != nil {
		p.close()
		return nil, err
	}
	p.join()
	if !o.Free {
		go p.supervise()
		if o.Memory >= 0 && (p.group == nil || p.group.memory == "") {
			go p.watchMemory()
		}
	}
	return p, nil
}

// supervisor makes the socket by which the process hands over its listener.
func (p *Process) supervisor() (theirs *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(pair[0], true); err != nil {
		return nil, err
	}
	p.socket, theirs = os.NewFile(uintptr(pair[0]), "supervisor"), os.NewFile(uintptr(pair[1]), "supervised")
	p.cmd.ExtraFiles = append(p.cmd.ExtraFiles, theirs)
	p.cmd.Env = append(p.cmd.Env, supervisorEnv+"="+strconv.Itoa(2+len(p.cmd.ExtraFiles)))
	return theirs, nil
}

// live starts the process and waits for its end, on one thread: the system takes
// the thread that starts a process for its parent (Pdeathsig), and the process
// inherits what the thread is allowed. The thread is never unlocked, so it ends with
// the goroutine.
func (p *Process) live(started chan<- error) {
	runtime.LockOSThread()
	if syscall.Gettid() == syscall.Getpid() { // the main thread does not end
		other := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			close(other)
			p.live(started)
		}()
		<-other
		runtime.UnlockOSThread()
		return
	}
	err := p.start()
	started <- err
	if err != nil {
		return
	}
	p.cmd.Wait() // the state is in cmd.ProcessState
	if p.o.Ended != nil {
		p.o.Ended()
	}
	close(p.gone)
}

func (p *Process) start() error {
	if !p.o.Free {
		if _, err := ReadOnly(); err != nil {
			return err
		}
		if err := dropCapabilities(); err != nil {
			return err
		}
	}
	return p.cmd.Start()
}

// join puts the process into its group, from a thread that Landlock leaves writing.
func (p *Process) join() {
	if p.group != nil && p.group.add(p.cmd.Process.Pid) != nil {
		p.group.remove()
		p.group = nil // a tree that does not take processes from elsewhere
	}
}

// Allow raises what the process may have: it is about to map n bytes that this process shares with it. space is what it
// has limited its addresses to, 0 for no limit; the new limit is returned.
func (p *Process) Allow(n, space int64) int64 {
	if p.o.Free || p.o.Memory < 0 {
		return space
	}
	if now := p.memory.Add(n); p.group != nil {
		p.group.setMemory(now)
	}
	if space > 0 {
		space += n
		l := unix.Rlimit{Cur: uint64(space), Max: unix.RLIM_INFINITY}
		var old unix.Rlimit
		if unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_AS, nil, &old) == nil {
			l.Max = old.Max
			l.Cur = min(l.Cur, l.Max)
			_ = unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_AS, &l, nil)
		}
	}
	return space
}

// State adds what holds the process from outside to what it says of itself.
func (p *Process) State(s State) State {
	if p.o.Free {
		return s
	}
	if p.o.Memory >= 0 {
		s.Memory = "address space"
	}
	if s.Supervised {
		s.Threads = "supervisor"
	}
	if p.group != nil && p.group.memory != "" {
		s.Memory = "control group"
	}
	if p.group != nil && p.group.pids != "" {
		s.Threads = "control group"
	}
	return s
}

// OutOfMemory reports that the process was ended because it took more memory than it may have.
func (p *Process) OutOfMemory() bool { return p.over.Load() || p.group.outOfMemory() }

// Close frees what was needed to hold the process in, once it has ended.
func (p *Process) Close() {
	p.close()
}

func (p *Process) close() {
	p.closed.Do(func() {
		if p.socket != nil {
			p.socket.Close()
		}
		if p.group != nil {
			p.group.remove()
		}
	})
}

// watchMemory ends the process when it holds more memory than it may. RLIMIT_AS bounds what it takes between two looks.
func (p *Process) watchMemory() {
	for {
		select {
		case <-p.gone:
			return
		case <-time.After(pollMemory):
		}
		n, err := residentOf(p.cmd.Process.Pid)
		if err != nil {
			return
		}
		if n > p.memory.Load() {
			p.over.Store(true)
			syscall.Kill(p.cmd.Process.Pid, syscall.SIGKILL)
			return
		}
	}
}

// residentOf is the memory of a process that no file holds.
func residentOf(pid int) (int64, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0, err
	}
	fields := splitFields(text)
	if len(fields) < 3 {
		return 0, errors.New("no statm")
	}
	return (fields[1] - fields[2]) * int64(os.Getpagesize()), nil
}

// splitFields are the numbers of a line of /proc.
func splitFields(text []byte) (out []int64) {
	n, in := int64(0), false
	for _, c := range append(text, ' ') {
		switch {
		case c >= '0' && c <= '9':
			n, in = 10*n+int64(c-'0'), true
		case in:
			out, n, in = append(out, n), 0, false
		}
	}
	return out
}
