//go:build !nojit && linux && (amd64 || arm64)

package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"unsafe"

	"github.com/irc-lang/irc/backends/jit"
)

// Service is what main gives to jit.ServeIfChild.
var Service = jit.Service{Name: serviceName, Open: func() func([]byte) ([]byte, error) {
	s := &server{modules: map[uint32]*loaded{}, memory: map[address]int64{}}
	return s.ask
}}

// server is the child's state: all that it holds of the driver.
type server struct {
	c        *capi
	dev      device
	retained bool
	modules  map[uint32]*loaded
	last     uint32
	memory   map[address]int64 // sizes

	// What the driver reads while a call is under way; here, not on a stack that moves.
	slots   []uint64
	params  []uintptr
	options [2]int32
	values  [2]uintptr
	log     []byte
	image   []byte
	word    uint32
}

// loaded is a module and the kernels that were looked up in it.
type loaded struct {
	handle  module
	kernels map[string]function
	flag    address // or 0
}

// ask answers a question.
func (s *server) ask(data []byte) ([]byte, error) {
	q, a := new(question), new(answer)
	if err := decode(data, q); err != nil {
		return nil, err
	}
	a.setErr(s.do(q, a))
	return encode(a)
}

func (s *server) do(q *question, a *answer) error {
	if s.c == nil && q.Op != opOpen && q.Op != opClose {
		return errors.New("CUDA: the device is not open")
	}
	switch q.Op {
	case opOpen:
		return s.open(q.Device, a)
	case opLoad:
		return s.load(q, a)
	case opUnload:
		return s.unload(q.Module)
	case opAlloc:
		return s.alloc(q.Bytes, a)
	case opFree:
		return s.free(q.Mem.Addr)
	case opCopyIn:
		return s.c.fail(s.c.MemcpyHtoD_v2(q.Mem.Addr, uintptr(q.Host), uint64(q.Bytes)), "cuMemcpyHtoD_v2", "copying %d bytes to the device", q.Bytes)
	case opCopyOut:
		return s.c.fail(s.c.MemcpyDtoH_v2(uintptr(q.Host), q.Mem.Addr, uint64(q.Bytes)), "cuMemcpyDtoH_v2", "copying %d bytes from the device", q.Bytes)
	case opLaunch:
		return s.launch(q, a)
	case opTime:
		return s.time(q, a)
	case opClose:
		return s.close()
	}
	return fmt.Errorf("CUDA: unknown request %d", q.Op)
}

// open initialises the driver and makes the device's primary context current.
func (s *server) open(index int, a *answer) error {
	c, path, missing := loadDriver()
	if missing != nil {
		return missing
	}
	s.c = c
	if err := c.fail(c.Init(0), "cuInit", "starting the driver %s", path); err != nil {
		return &MissingError{Reason: err.Error(), Fix: "nvidia-smi tells whether the driver works"}
	}
	d := &a.Device
	d.Library, d.Index = path, index
	var n, version int32
	if err := c.fail(c.DriverGetVersion(&version), "cuDriverGetVersion", "asking for the driver's version"); err != nil {
		return err
	}
	if err := c.fail(c.DeviceGetCount(&n), "cuDeviceGetCount", "counting devices"); err != nil {
		return err
	}
	d.Driver, d.Count = int(version), int(n)
	if n == 0 {
		return &MissingError{Reason: "the driver sees none"}
	}
	if index < 0 || index >= int(n) {
		return fmt.Errorf("CUDA: there is no device %d; this machine has %d, counted from 0", index, n)
	}
	if err := c.fail(c.DeviceGet(&s.dev, int32(index)), "cuDeviceGet", "opening device %d", index); err != nil {
		return err
	}
	if err := s.describe(d); err != nil {
		return err
	}
	var ctx contextRef
	if err := c.fail(c.DevicePrimaryCtxRetain(&ctx, s.dev), "cuDevicePrimaryCtxRetain", "making a context on %s", d.Name); err != nil {
		return err
	}
	s.retained = true
	if err := c.fail(c.CtxSetCurrent(ctx), "cuCtxSetCurrent", "entering the context of %s", d.Name); err != nil {
		return errors.Join(err, s.close())
	}
	return nil
}

// describe fills in the properties of the device.
func (s *server) describe(d *Device) error {
	name := make([]byte, 256)
	if err := s.c.fail(s.c.DeviceGetName(&name[0], int32(len(name)), s.dev), "cuDeviceGetName", "asking for the name of device %d", d.Index); err != nil {
		return err
	}
	d.Name = text(name)
	if err := s.c.fail(s.c.DeviceTotalMem_v2(&d.Memory, s.dev), "cuDeviceTotalMem_v2", "asking for the memory of %s", d.Name); err != nil {
		return err
	}
	// The numbers of CUdevice_attribute. The first two are needed, the others may be
	// unknown to a driver and are 0 then.
	for i, x := range []struct {
		attribute int32
		to        *int
	}{
		{75, &d.Major}, {76, &d.Minor}, {16, &d.SMs}, {13, &d.Clock}, {36, &d.MemoryClock}, {37, &d.BusWidth}, {38, &d.L2}, {87, &d.DoubleRatio},
		{1, &d.BlockThreads}, {2, &d.BlockDim[0]}, {3, &d.BlockDim[1]}, {4, &d.BlockDim[2]},
		{5, &d.GridDim[0]}, {6, &d.GridDim[1]}, {7, &d.GridDim[2]}, {8, &d.Shared}, {97, &d.SharedOptIn},
	} {
		var v int32
		err := s.c.fail(s.c.DeviceGetAttribute(&v, x.attribute, s.dev), "cuDeviceGetAttribute", "asking for attribute %d of %s", x.attribute, d.Name)
		if err != nil && i < 2 {
			return err
		}
		if err == nil {
			*x.to = int(v)
		}
	}
	return nil
}

// text is what stands before the first NUL.
func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// load compiles PTX with the driver's assembler, whose complaints go to a log.
func (s *server) load(q *question, a *answer) error {
	const errorLog, errorLogSize = 5, 6 // of CUjit_option
	s.image = append([]byte(q.PTX), 0)
	s.log = make([]byte, 16<<10)
	s.options = [2]int32{errorLog, errorLogSize}
	s.values = [2]uintptr{uintptr(unsafe.Pointer(&s.log[0])), uintptr(len(s.log))} // a size is passed as the pointer itself
	var m module
	err := s.c.fail(s.c.ModuleLoadDataEx(&m, unsafe.Pointer(&s.image[0]), 2, &s.options[0], &s.values[0]), "cuModuleLoadDataEx", "compiling PTX")
	var e *Error
	if errors.As(err, &e) {
		e.Log = text(s.log)
	}
	if err != nil {
		return err
	}
	s.last++
	s.modules[s.last] = &loaded{handle: m, kernels: map[string]function{}}
	a.Module = s.last
	if q.Flag == "" {
		return nil
	}
	return s.findFlag(s.last, q.Flag)
}

// findFlag finds the variable that kernels of a module set; without it the module
// is of no use.
func (s *server) findFlag(id uint32, name string) error {
	m, size := s.modules[id], uint64(0)
	err := s.c.fail(s.c.ModuleGetGlobal_v2(&m.flag, &size, m.handle, name), "cuModuleGetGlobal_v2", "looking for variable %s", name)
	if err == nil && size != 4 {
		err = fmt.Errorf("CUDA: variable %s has %d bytes, 4 are wanted", name, size)
	}
	if err != nil {
		return errors.Join(err, s.unload(id))
	}
	return nil
}

// takeFlag reads and clears the flag of a module.
func (s *server) takeFlag(id uint32, a *answer) error {
	p := s.modules[id].flag
	if p == 0 {
		return nil
	}
	s.word = 0
	if err := s.c.fail(s.c.MemcpyDtoH_v2(uintptr(unsafe.Pointer(&s.word)), p, 4), "cuMemcpyDtoH_v2", "reading the flag of the kernel"); err != nil {
		return err
	}
	if a.Flag = s.word; a.Flag == 0 {
		return nil
	}
	s.word = 0
	return s.c.fail(s.c.MemcpyHtoD_v2(p, uintptr(unsafe.Pointer(&s.word)), 4), "cuMemcpyHtoD_v2", "clearing the flag of the kernel")
}

func (s *server) unload(id uint32) error {
	m := s.modules[id]
	if m == nil {
		return nil
	}
	delete(s.modules, id)
	return s.c.fail(s.c.ModuleUnload(m.handle), "cuModuleUnload", "unloading a module")
}

func (s *server) alloc(n int64, a *answer) error {
	var p address
	if err := s.c.fail(s.c.MemAlloc_v2(&p, uint64(n)), "cuMemAlloc_v2", "allocating %d bytes on the device", n); err != nil {
		return err
	}
	s.memory[p] = n
	a.Mem = Mem{Addr: p, Size: n}
	return nil
}

func (s *server) free(p address) error {
	if _, ok := s.memory[p]; !ok {
		return fmt.Errorf("CUDA: no memory at %#x of the device is ours to free", p)
	}
	delete(s.memory, p)
	return s.c.fail(s.c.MemFree_v2(p), "cuMemFree_v2", "freeing memory of the device")
}

// kernel finds a kernel of a module.
func (s *server) kernel(q *question) (function, error) {
	m := s.modules[q.Module]
	if m == nil {
		return 0, errors.New("CUDA: the module is closed")
	}
	name := q.Launch.Kernel
	f, ok := m.kernels[name]
	if !ok {
		if err := s.c.fail(s.c.ModuleGetFunction(&f, m.handle, name), "cuModuleGetFunction", "looking for kernel @%s", name); err != nil {
			return 0, err
		}
		m.kernels[name] = f
	}
	// Without asking, a block has at most 48 KiB of shared memory.
	const maxDynamicShared, unasked = 8, 48 << 10 // of CUfunction_attribute
	if n := q.Launch.Shared; n > unasked {
		return f, s.c.fail(s.c.FuncSetAttribute(f, maxDynamicShared, int32(min(n, math.MaxInt32))), "cuFuncSetAttribute", "asking for %d bytes of shared memory for kernel @%s", n, name)
	}
	return f, nil
}

// arguments makes kernelParams: for each parameter the address of its value.
func (s *server) arguments(args []Arg) unsafe.Pointer {
	s.slots, s.params = make([]uint64, len(args)+1), make([]uintptr, len(args)+1)
	for i, x := range args {
		s.slots[i] = x.Bits // little-endian: the low bytes come first
		s.params[i] = uintptr(unsafe.Pointer(&s.slots[i]))
	}
	return unsafe.Pointer(&s.params[0])
}

// start launches without waiting.
func (s *server) start(f function, l *Launch, params unsafe.Pointer) error {
	g, b := l.Grid, l.Block
	code := s.c.LaunchKernel(f, g[0], g[1], g[2], b[0], b[1], b[2], l.Shared, 0, params, 0)
	runtime.KeepAlive(s)
	return s.c.fail(code, "cuLaunchKernel", "launching kernel @%s with %v blocks of %v threads", l.Kernel, g, b)
}

// launch runs a kernel to its end.
func (s *server) launch(q *question, a *answer) error {
	f, err := s.kernel(q)
	if err != nil {
		return err
	}
	if err := s.start(f, &q.Launch, s.arguments(q.Launch.Args)); err != nil {
		return err
	}
	if err := s.wait(&q.Launch); err != nil {
		return err
	}
	return s.takeFlag(q.Module, a)
}

func (s *server) wait(l *Launch) error {
	return s.c.fail(s.c.CtxSynchronize(), "cuCtxSynchronize", "running kernel @%s with %v blocks of %v threads", l.Kernel, l.Grid, l.Block)
}

// time runs a kernel between two events, several times.
func (s *server) time(q *question, a *answer) (err error) {
	f, err := s.kernel(q)
	if err != nil {
		return err
	}
	var e [2]event
	for i := range e {
		if err := s.c.fail(s.c.EventCreate(&e[i], 0), "cuEventCreate", "making an event"); err != nil {
			return errors.Join(err, s.destroy(e[:i]))
		}
	}
	defer func() { err = errors.Join(err, s.destroy(e[:])) }()
	params := s.arguments(q.Launch.Args)
	for range q.Runs {
		ms, err := s.once(f, &q.Launch, params, e)
		if err != nil {
			return err
		}
		a.Millis = append(a.Millis, ms)
	}
	return s.takeFlag(q.Module, a)
}

func (s *server) once(f function, l *Launch, params unsafe.Pointer, e [2]event) (ms float32, err error) {
	if err := s.c.fail(s.c.EventRecord(e[0], 0), "cuEventRecord", "timing kernel @%s", l.Kernel); err != nil {
		return 0, err
	}
	if err := s.start(f, l, params); err != nil {
		return 0, err
	}
	if err := s.c.fail(s.c.EventRecord(e[1], 0), "cuEventRecord", "timing kernel @%s", l.Kernel); err != nil {
		return 0, errors.Join(err, s.wait(l))
	}
	if err := s.c.fail(s.c.EventSynchronize(e[1]), "cuEventSynchronize", "running kernel @%s with %v blocks of %v threads", l.Kernel, l.Grid, l.Block); err != nil {
		return 0, err
	}
	return ms, s.c.fail(s.c.EventElapsedTime(&ms, e[0], e[1]), "cuEventElapsedTime", "timing kernel @%s", l.Kernel)
}

func (s *server) destroy(events []event) (err error) {
	for _, e := range events {
		err = errors.Join(err, s.c.fail(s.c.EventDestroy_v2(e), "cuEventDestroy_v2", "giving an event back"))
	}
	return err
}

// close gives all back, whatever fails on the way, and reports the first failure.
func (s *server) close() error {
	var errs []error
	for p := range s.memory {
		errs = append(errs, s.free(p))
	}
	for id := range s.modules {
		errs = append(errs, s.unload(id))
	}
	if s.retained {
		s.retained = false
		errs = append(errs, s.c.fail(s.c.CtxSetCurrent(0), "cuCtxSetCurrent", "leaving the context"),
			s.c.fail(s.c.DevicePrimaryCtxRelease_v2(s.dev), "cuDevicePrimaryCtxRelease_v2", "giving the context back"))
	}
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) == 0 {
		return nil
	}
	return errs[0]
}
