//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/irc-lang/irc/backends/sandbox"
	"github.com/irc-lang/irc/ir/target/tuning"
)

// Child is a process that compiles and runs native code. Its methods may be used
// from several goroutines; requests are served one after the other.
type Child struct {
	o    ChildOptions
	info Info
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has been waited for
	held *sandbox.Process
	size int64 // what the child has limited its addresses to; 0 is no limit

	mu             sync.Mutex
	requests       *os.File
	replies        *os.File
	w              *bufio.Writer
	enc            *gob.Encoder
	dec            *gob.Decoder
	shared         *Shared
	stdout, stderr capture
	prints         *printLog
	end            error // why no more requests are possible
	release        func() bool
}

// capture is a memory file that the child writes to and the parent empties.
type capture struct {
	file *os.File
	to   io.Writer
	tail []byte // of the last thing read
}

// Start runs the child process and loads libLLVM in it. The context ends the
// child when it ends. Without libLLVM the error matches ErrMissing.
func Start(ctx context.Context, o ChildOptions) (*Child, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Child{o: o, done: make(chan struct{})}
	if err := c.spawn(); err != nil {
		return nil, fmt.Errorf("jit: cannot start the child process: %w", err)
	}
	c.release = context.AfterFunc(ctx, c.kill)
	if err := c.hello(ctx); err != nil {
		c.Close() // the process has failed already; its end is no news
		return nil, err
	}
	return c, nil
}

// withDefaults fills in what was left out.
func (o ChildOptions) withDefaults() (ChildOptions, error) {
	if os.Getenv(childEnv) != "" { // or processes would start processes without end
		return o, errors.New("jit: this is a child process whose main does not call jit.ServeIfChild")
	}
	if o.Executable == "" {
		if !hooked[o.Service] {
			return o, errors.New("jit: main must call engine.ServeIfChild (or jit.ServeIfChild) before it starts a child process")
		}
		// Not os.Executable, whose path may lie where another user does not look, or be that of a newer build.
		o.Executable = "/proc/self/exe"
	}
	if o.Memory == 0 {
		o.Memory = 4 << 30
	}
	if o.Output <= 0 {
		o.Output = 64 << 20
	}
	if o.Prints <= 0 {
		o.Prints = 64 << 20
	}
	if o.Threads > tuning.MostCores {
		return o, fmt.Errorf("jit: %d threads are more than %d", o.Threads, tuning.MostCores)
	}
	if o.StartLimit <= 0 {
		o.StartLimit = 30 * time.Second
	}
	return o, nil
}

// spawn makes the pipes and files and starts the process in a group of its own,
// so that what native code forks dies with it, and a terminal's interrupt goes
// to the parent only.
func (c *Child) spawn() (err error) {
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
		if err != nil {
			c.closeFiles()
		}
	}()
	if c.shared = c.o.Shared; c.shared == nil {
		if c.shared, err = NewShared(); err != nil {
			return err
		}
	}
	for _, f := range []*capture{&c.stdout, &c.stderr} {
		if f.file, err = memfile("irc-jit-output"); err != nil {
			return err
		}
		// Appending, so that the parent may cut off what it has read.
		if _, _, errno := syscall.Syscall(syscall.SYS_FCNTL, f.file.Fd(), syscall.F_SETFL, syscall.O_APPEND); errno != 0 {
			return errno
		}
	}
	c.stdout.to, c.stderr.to = c.o.Stdout, c.o.Stderr
	if c.prints, err = newPrintLog(c.o.Prints); err != nil {
		return err
	}
	request, w, err := os.Pipe()
	if err != nil {
		return err
	}
	theirs, c.requests = append(theirs, request), w
	r, answer, err := os.Pipe()
	if err != nil {
		return err
	}
	theirs, c.replies = append(theirs, answer), r
	c.w = bufio.NewWriter(w)
	c.enc, c.dec = gob.NewEncoder(c.w), gob.NewDecoder(bufio.NewReader(eager{r}))
	c.cmd = exec.Command(c.o.Executable)
	c.cmd.Env = append(c.environment(), childEnv+"=1", serviceEnv+"="+c.o.Service, "GOTRACEBACK=none")
	c.cmd.Stdout, c.cmd.Stderr = c.stdout.file, c.stderr.file
	c.cmd.ExtraFiles = []*os.File{request, answer, c.shared.file, c.prints.file}
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.held, err = sandbox.Start(c.cmd, c.outside())
	return err
}

// outside is how the child is held in by this process. That of a Service, which may need files and devices, only ends with it.
func (c *Child) outside() sandbox.Outside {
	o := sandbox.Outside{Memory: -1, Threads: c.o.mostThreads(), NoGroup: c.o.NoGroup, Free: c.o.Service != "", Ended: c.ended}
	if c.o.Memory >= 0 {
		files := 2*c.o.Output + c.o.Prints
		o.Memory = sandbox.Allowance(c.o.Memory) + c.o.stacks() + files + c.shared.size
	}
	return o
}

// passed are the variables that native code's process gets: they say where libLLVM
// is and how Go runs. Others may be secrets.
var passed = []string{"IRC_LIBLLVM", "LD_LIBRARY_PATH", "GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GOCOVERDIR"}

func (c *Child) environment() []string {
	if c.o.Service != "" {
		return append(slices.Clone(c.o.Env), os.Environ()...) // of two settings the last holds
	}
	env := []string{Malloc}
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			if n, err := strconv.Atoi(value); name == "GOMAXPROCS" && err == nil { // of the child's few threads
				value = strconv.Itoa(min(n, runtime.NumCPU()))
			}
			env = append(env, name+"="+value)
		}
	}
	return env
}

// ended is called when the process is gone. A process forked by native code may hold the reply
// pipe open; the deadline ends a wait for a reply that cannot come.
func (c *Child) ended() {
	c.replies.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	close(c.done)
}

func (c *Child) kill() {
	syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) // the group may be gone
	c.cmd.Process.Kill()
}

// hello waits for the child's first words and sets its limits.
func (c *Child) hello(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.o.StartLimit)
	defer cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	r := new(reply)
	if err := c.receive(ctx, r, nil); err != nil {
		return fmt.Errorf("jit: the child process did not start (does main of %s call jit.ServeIfChild first?): %w", c.o.Executable, err)
	}
	if err := r.err(); err != nil {
		return err
	}
	if r.Protocol != protocolVersion {
		return fmt.Errorf("jit: %s speaks protocol %d, not %d", c.o.Executable, r.Protocol, protocolVersion)
	}
	c.info = r.Info
	limits, err := c.ask(ctx, &request{Op: opLimits, Size: c.o.Memory, Output: c.o.Output, Prints: c.o.Prints, Threads: c.o.Threads, Links: c.o.Link})
	if err != nil {
		return err
	}
	if s := c.held.State(limits.Info.Sandbox); c.o.MustHold && (!s.Filter || s.Memory == "" || s.Threads == "") {
		return fmt.Errorf("jit: the sandbox does not hold native code here: %v", s)
	}
	c.info.Sandbox, c.size = c.held.State(limits.Info.Sandbox), limits.Size
	return c.mapAgain(ctx)
}

// mapAgain maps in this child what children before it have shared.
func (c *Child) mapAgain(ctx context.Context) error {
	for _, s := range c.shared.segments {
		c.size = c.held.Allow(int64(len(s.mem))+hugePage, c.size)
		r, err := c.ask(ctx, &request{Op: opMap, Off: s.off, Size: int64(len(s.mem))})
		if err != nil {
			return err
		}
		s.addr = r.Addr
	}
	return nil
}

// Ended reports that the process is gone.
func (c *Child) Ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Pid is the process.
func (c *Child) Pid() int { return c.cmd.Process.Pid }

// Info is the libLLVM that the child uses.
func (c *Child) Info() Info { return c.info }

// Ask puts a request to the Service that the child runs.
func (c *Child) Ask(ctx context.Context, question []byte) ([]byte, error) {
	r, err := c.do(ctx, &request{Op: opAsk, Data: question})
	if err != nil {
		return nil, err
	}
	return r.Data, nil
}

// emit has the child compile a text to a kind of output.
func (c *Child) emit(ctx context.Context, ll string, kind int64, o Options) ([]byte, error) {
	r, err := c.do(ctx, &request{Op: opEmit, IR: ll, Count: kind, Options: o})
	if err != nil {
		return nil, err
	}
	return r.Data, nil
}

// do sends a request and returns the answer.
func (c *Child) do(ctx context.Context, q *request) (*reply, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ask(ctx, q)
}

// ask is do for a caller that holds the lock.
func (c *Child) ask(ctx context.Context, q *request) (*reply, error) {
	if c.end != nil {
		return nil, fmt.Errorf("jit: the child process has ended: %w", c.end)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	*words(c.shared.page) = [noteWords]uint64{}
	if q.Op == opCalls || q.Op == opRepeat {
		c.prints.reset()
	}
	err := c.enc.Encode(q)
	if err == nil {
		err = c.w.Flush()
	}
	// A write that failed means a dead child; receive finds out why.
	r := new(reply)
	if err := c.receive(ctx, r, q); err != nil {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("jit: request: %w", err)
	}
	if q.Op == opRepeat || q.Op == opCalls && c.o.Printed == nil {
		r.log = slices.Clone(c.prints.bytes(0))
	}
	return r, r.err()
}

// receive waits for a reply. When none can come any more, it finds out why and
// returns a *Fault.
func (c *Child) receive(ctx context.Context, r *reply, q *request) error {
	start := time.Now()
	stop := context.AfterFunc(ctx, c.kill)
	shown := c.showPrints(q)
	err := c.dec.Decode(r)
	shown()
	stop()
	if err == nil {
		return c.forward()
	}
	senseless := false
	select {
	case <-c.done:
	case <-time.After(time.Second): // it lives
		senseless = true
		c.kill()
		<-c.done
	}
	// The output comes first: the fault quotes its end. A writer that fails is
	// not worth hiding the fault.
	c.forward()
	f := c.postMortem(ctx, q, time.Since(start))
	if senseless && ctx.Err() == nil {
		f.Detail = fmt.Sprintf("the child process sent what is no reply (%v)", err)
	}
	if f.Call >= 0 && c.o.Printed == nil {
		f.log = slices.Clone(c.prints.bytes(0))
		f.Printed = decodeLog(f.log[min(words(c.shared.page)[noteLog], uint64(len(f.log))):])
	}
	c.end = f
	return f
}

// forward hands on what the child wrote.
func (c *Child) forward() error {
	return errors.Join(c.stdout.drain(), c.stderr.drain())
}

// drain moves the file's contents to the writer.
func (p *capture) drain() error {
	info, err := p.file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	text := make([]byte, info.Size())
	n, err := p.file.ReadAt(text, 0)
	if err != nil && err != io.EOF {
		return err
	}
	const most = 2048 // bytes of what the child printed, for a message
	p.tail = append(p.tail[:0], text[max(0, n-most):n]...)
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	if p.to == nil {
		return nil
	}
	_, err = p.to.Write(text[:n])
	return err
}

// Close ends the child and, but for those of ChildOptions.Shared, frees its buffers. It
// may be called twice.
func (c *Child) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == errClosed {
		return nil
	}
	c.release()
	c.requests.Close() // the child exits on it; an error changes nothing
	select {
	case <-c.done:
	case <-time.After(time.Second):
		c.kill()
		<-c.done
	}
	c.end = errClosed
	c.closeFiles()
	return nil
}

var errClosed = errors.New("it was closed")

// closeFiles closes what spawn made, as far as it got.
func (c *Child) closeFiles() {
	for _, f := range []*os.File{c.requests, c.replies, c.stdout.file, c.stderr.file} {
		if f != nil {
			f.Close()
		}
	}
	if c.held != nil {
		c.held.Close()
	}
	if c.shared != nil && c.o.Shared == nil {
		c.shared.Close()
	}
	if c.prints != nil {
		c.prints.close()
	}
}
