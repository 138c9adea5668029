package cuda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir/lists"
)

const serviceName = "the CUDA driver"

// A GPU is a device with the driver in a child process. Its methods may be used
// from several goroutines; requests are served one after the other.
type GPU struct {
	child  *jit.Child
	device Device
	broken error // why nothing works any more
}

// Open starts the driver and makes a context on a device. The context of the call
// lives as long as the GPU: when it ends, so does the child.
func Open(ctx context.Context, o Options) (*GPU, error) {
	if o.StartLimit <= 0 {
		o.StartLimit = time.Minute
	}
	child, err := jit.Start(ctx, jit.ChildOptions{Service: serviceName, Executable: o.Executable,
		// PTX is compiled when it is loaded, not at the first launch.
		Env: []string{"CUDA_MODULE_LOADING=EAGER"},
		// The driver reserves far more memory than it uses, and makes large files in memory.
		Memory: -1, Output: 1 << 60})
	if errors.Is(err, jit.ErrMissing) {
		return nil, &MissingError{Reason: "this irc was built without native code (build tag nojit, or not linux/amd64 or linux/arm64)"}
	}
	if err != nil {
		return nil, err
	}
	g := &GPU{child: child}
	ctx, stop := context.WithTimeout(ctx, o.StartLimit)
	defer stop()
	a, err := g.ask(ctx, &question{Op: opOpen, Device: o.Device})
	if err != nil {
		child.Close() // nothing else is open
		return nil, err
	}
	g.device = a.Device
	return g, nil
}

// ask puts a question to the child.
func (g *GPU) ask(ctx context.Context, q *question) (*answer, error) {
	if g.broken != nil && q.Op != opClose {
		return nil, fmt.Errorf("the device is not usable any more: %w", g.broken)
	}
	data, err := encode(q)
	if err != nil {
		return nil, err
	}
	if data, err = g.child.Ask(ctx, data); err != nil {
		var f *jit.Fault
		if errors.As(err, &f) {
			g.broken = err
		}
		return nil, err
	}
	a := new(answer)
	if err := decode(data, a); err != nil {
		return nil, fmt.Errorf("CUDA: the child's answer: %w", err)
	}
	err = a.err()
	var e *Error
	if errors.As(err, &e) && e.Broken() {
		g.broken = err
	}
	return a, err
}

// Device is what the driver says of the device.
func (g *GPU) Device() Device { return g.device }

// Broken is why the GPU is good for Close only, or nil.
func (g *GPU) Broken() error {
	if g.broken == nil && g.child.Ended() {
		g.broken = errors.New("the process of the CUDA driver has ended")
	}
	return g.broken
}

// Pid is the process of the driver.
func (g *GPU) Pid() int { return g.child.Pid() }

// Close frees what the device still holds and ends the child. The error is that of
// freeing; a child that has died is none.
func (g *GPU) Close() error {
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	_, err := g.ask(ctx, &question{Op: opClose})
	if g.broken != nil {
		err = nil // told when it happened
	}
	return errors.Join(err, g.child.Close())
}

// Host makes memory of this process that the driver sees too.
func (g *GPU) Host(ctx context.Context, n int64) (*jit.Buffer, error) {
	return g.child.Alloc(ctx, int(n))
}

// Alloc makes n bytes of device memory, whose contents are undefined. No bytes are
// no memory: the result's address is 0.
func (g *GPU) Alloc(ctx context.Context, n int64) (Mem, error) {
	if n < 0 {
		return Mem{}, fmt.Errorf("CUDA: allocation of %d bytes", n)
	}
	if n == 0 {
		return Mem{}, nil
	}
	a, err := g.ask(ctx, &question{Op: opAlloc, Bytes: n})
	if err != nil {
		return Mem{}, err
	}
	return a.Mem, nil
}

// Free gives device memory back.
func (g *GPU) Free(ctx context.Context, m Mem) error {
	if m.Addr == 0 {
		return nil
	}
	_, err := g.ask(ctx, &question{Op: opFree, Mem: m})
	return err
}

// CopyIn copies the first n bytes of host memory to the device.
func (g *GPU) CopyIn(ctx context.Context, to Mem, from *jit.Buffer, n int64) error {
	return g.copy(ctx, opCopyIn, to, from, n)
}

// CopyOut copies the first n bytes of device memory to the host.
func (g *GPU) CopyOut(ctx context.Context, to *jit.Buffer, from Mem, n int64) error {
	return g.copy(ctx, opCopyOut, from, to, n)
}

func (g *GPU) copy(ctx context.Context, op opcode, m Mem, host *jit.Buffer, n int64) error {
	if n < 0 || n > m.Size || n > int64(len(host.Bytes())) {
		return fmt.Errorf("CUDA: copy of %d bytes between %d on the device and %d on the host", n, m.Size, len(host.Bytes()))
	}
	if n == 0 {
		return nil
	}
	_, err := g.ask(ctx, &question{Op: op, Mem: m, Host: host.Addr(), Bytes: n})
	return err
}

// Module is PTX that the driver has compiled.
type Module struct {
	gpu     *GPU
	id      uint32
	kernels []string
}

// Load compiles PTX text. PTX that does not assemble is an *Error with a Log. A flag,
// if not "", is the name of a variable of 32 bits: what kernels leave there is a
// result of Launch, which sets it to 0 again.
func (g *GPU) Load(ctx context.Context, ptx, flag string) (*Module, error) {
	a, err := g.ask(ctx, &question{Op: opLoad, PTX: ptx, Flag: flag})
	if err != nil {
		return nil, err
	}
	return &Module{gpu: g, id: a.Module, kernels: entries(ptx)}, nil
}

// Kernels are the names of the module's kernels.
func (m *Module) Kernels() []string { return slices.Clone(m.kernels) }

// Launch runs a kernel and waits for its end.
func (m *Module) Launch(ctx context.Context, l Launch) (flag uint32, err error) {
	a, err := m.launch(ctx, opLaunch, l, 1)
	if err != nil {
		return 0, err
	}
	return a.Flag, nil
}

// Time runs a kernel several times and returns how long the device took for each.
// A flag that they set is an error.
func (m *Module) Time(ctx context.Context, l Launch, runs int) ([]time.Duration, error) {
	a, err := m.launch(ctx, opTime, l, runs)
	if err != nil {
		return nil, err
	}
	if a.Flag != 0 {
		return nil, fmt.Errorf("kernel @%s sets its flag to %d", l.Kernel, a.Flag)
	}
	out := lists.Map(a.Millis, func(ms float32) time.Duration { return time.Duration(float64(ms) * 1e6) })
	return out, nil
}

func (m *Module) launch(ctx context.Context, op opcode, l Launch, runs int) (*answer, error) {
	if err := l.check(&m.gpu.device); err != nil {
		return nil, err
	}
	return m.gpu.ask(ctx, &question{Op: op, Module: m.id, Launch: l, Runs: runs})
}

// Close unloads the module.
func (m *Module) Close(ctx context.Context) error {
	_, err := m.gpu.ask(ctx, &question{Op: opUnload, Module: m.id})
	return err
}
