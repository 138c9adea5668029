//go:build !nojit && linux && (amd64 || arm64)

package cuda

import (
	"fmt"
	"os"
	"reflect"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Handles of the driver: pointers to its own structs. A CUdeviceptr is 64 bits wide.
type (
	result     = int32 // CUresult
	device     = int32 // CUdevice
	contextRef = uintptr
	module     = uintptr
	function   = uintptr
	event      = uintptr
	stream     = uintptr
	address    = uint64 // CUdeviceptr
)

// capi is the part of the driver API that is used. The field X is bound to the
// symbol cuX.
type capi struct {
	Init             func(flags uint32) result
	DriverGetVersion func(version *int32) result
	GetErrorName     func(code result, text *uintptr) result
	GetErrorString   func(code result, text *uintptr) result

	DeviceGetCount     func(n *int32) result
	DeviceGet          func(d *device, ordinal int32) result
	DeviceGetName      func(name *byte, size int32, d device) result
	DeviceGetAttribute func(value *int32, attribute int32, d device) result
	DeviceTotalMem_v2  func(bytes *uint64, d device) result

	DevicePrimaryCtxRetain     func(c *contextRef, d device) result
	DevicePrimaryCtxRelease_v2 func(d device) result
	CtxSetCurrent              func(c contextRef) result
	CtxSynchronize             func() result

	ModuleLoadDataEx   func(m *module, image unsafe.Pointer, n uint32, options *int32, values *uintptr) result
	ModuleUnload       func(m module) result
	ModuleGetFunction  func(f *function, m module, name string) result
	ModuleGetGlobal_v2 func(p *address, bytes *uint64, m module, name string) result
	FuncSetAttribute   func(f function, attribute, value int32) result

	MemAlloc_v2   func(p *address, bytes uint64) result
	MemFree_v2    func(p address) result
	MemcpyHtoD_v2 func(dst address, src uintptr, bytes uint64) result
	MemcpyDtoH_v2 func(dst uintptr, src address, bytes uint64) result

	LaunchKernel func(f function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared uint32, s stream, params unsafe.Pointer, extra uintptr) result

	EventCreate      func(e *event, flags uint32) result
	EventRecord      func(e event, s stream) result
	EventSynchronize func(e event) result
	EventElapsedTime func(ms *float32, start, end event) result
	EventDestroy_v2  func(e event) result
}

// bind fills the table from a loaded library.
func (c *capi) bind(handle uintptr) error {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		name := "cu" + v.Type().Field(i).Name
		addr, err := purego.Dlsym(handle, name)
		if err != nil {
			return fmt.Errorf("it lacks %s: it is no CUDA driver of version 11 or newer", name)
		}
		purego.RegisterFunc(v.Field(i).Addr().Interface(), addr)
	}
	return nil
}

// loadDriver loads libcuda.
func loadDriver() (c *capi, path string, missing *MissingError) {
	path = os.Getenv("IRC_LIBCUDA")
	names, fix := []string{path}, "unset IRC_LIBCUDA to look at the usual place"
	if path == "" {
		// The plain name is a link that only development packages have.
		names, fix = []string{"libcuda.so.1", "libcuda.so"}, "install NVIDIA's driver for this device"
	}
	reason := ""
	for _, name := range names {
		handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err == nil {
			c = new(capi)
			if err = c.bind(handle); err == nil {
				return c, name, nil
			}
		}
		if reason == "" {
			reason = fmt.Sprintf("%s cannot be used: %v", name, err)
		}
	}
	return nil, "", &MissingError{Reason: reason, Fix: fix}
}

// fail makes the error of a call, or nil for success.
func (c *capi) fail(code result, call, format string, args ...any) error {
	if code == 0 {
		return nil
	}
	e := &Error{Call: call, Code: int(code), Name: fmt.Sprintf("CUresult %d", code), Text: "the driver has no words for it", What: fmt.Sprintf(format, args...)}
	var p uintptr
	if c.GetErrorName(code, &p) == 0 && p != 0 {
		e.Name = cString(p)
	}
	if c.GetErrorString(code, &p) == 0 && p != 0 {
		e.Text = cString(p)
	}
	return e
}

// pointer makes a pointer of an address outside Go's heap. The detour tells vet
// that no integer arithmetic on Go pointers is meant.
func pointer(addr uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&addr)) }

// cString copies a NUL-terminated string.
func cString(addr uintptr) string {
	n := 0
	for *(*byte)(unsafe.Add(pointer(addr), n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(pointer(addr)), n))
}
