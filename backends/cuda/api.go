package cuda

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrMissing is matched (errors.Is) by every error that means: there is no CUDA
// driver or no device here.
var ErrMissing = errors.New("no CUDA device")

// A MissingError says why nothing can run on a GPU here.
type MissingError struct {
	Reason string // one clause
	Fix    string // what to do about it
}

func (e *MissingError) Error() string {
	if e.Fix == "" {
		return "no CUDA device: " + e.Reason
	}
	return "no CUDA device: " + e.Reason + "; " + e.Fix
}

// Is makes errors.Is(err, ErrMissing) hold.
func (e *MissingError) Is(target error) bool { return target == ErrMissing }

// An Error is a call of the driver that failed.
type Error struct {
	Call string // "cuMemAlloc_v2"
	Code int    // CUresult
	Name string // "CUDA_ERROR_OUT_OF_MEMORY"
	Text string // the driver's words
	What string // what was being done: "allocating 4096 bytes on the device"
	Log  string // of PTX that does not assemble
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "CUDA: %s: %s (%s failed: %s, %d)", e.What, e.Text, e.Call, e.Name, e.Code)
	if hint := hints[e.Code]; hint != "" {
		b.WriteString("; " + hint)
	}
	if e.Log != "" {
		b.WriteString("\n" + strings.TrimSpace(e.Log))
	}
	return b.String()
}

// hints say what to do about a CUresult.
var hints = map[int]string{
	2:   "use smaller buffers, or end what else holds memory of the device (nvidia-smi lists it)",
	46:  "another process has the device to itself (compute mode)",
	209: "the kernel was made for another architecture",
	218: "this is a bug in the PTX that irc makes, unless you wrote it",
	221: "libnvidia-ptxjitcompiler.so, a part of the driver, is missing",
	222: "the driver is too old for this PTX: update it",
	700: "the kernel reads or writes outside of its buffers",
	701: "the block has too many threads for the registers and shared memory that the kernel needs",
	702: "a device that drives a display stops long kernels",
	716: "the kernel reads or writes at an address that is no multiple of the element's size",
	803: "the kernel module and libcuda are of different versions: load the new module, or restart the machine",
	804: "libcuda is newer than this device's driver supports",
	999: "the driver does not say more; is /dev/nvidia* there, and may this user open it?",
}

// Broken reports that the context is of no use any more: the driver gives the same
// error to every later call.
func (e *Error) Broken() bool { return e.Fault() || e.Code == 702 || e.Code == 709 }

// Fault reports that the kernel did wrong, not we or the machine.
func (e *Error) Fault() bool {
	switch e.Code {
	case 700, 710, 714, 715, 716, 717, 718, 719:
		return true
	}
	return false
}

// Options of Open.
type Options struct {
	Device     int           // its number, from 0
	Executable string        // as in jit.ChildOptions
	StartLimit time.Duration // how long the driver may take to start; 0 is 60 s
}

// Device is what the driver says of a device. Figures that it does not give are 0.
type Device struct {
	Library string `json:"library"` // the path that libcuda was loaded by
	Driver  int    `json:"driver"`  // CUDA version of the driver: 12040 is 12.4
	Index   int    `json:"index"`
	Count   int    `json:"count"` // devices of this machine

	Name         string `json:"name"`
	Major        int    `json:"major"` // compute capability
	Minor        int    `json:"minor"`
	Memory       uint64 `json:"memory"` // bytes
	SMs          int    `json:"sms"`
	Clock        int    `json:"clock_khz"`
	MemoryClock  int    `json:"memory_clock_khz"`
	BusWidth     int    `json:"bus_bits"`
	L2           int    `json:"l2_bytes"`
	DoubleRatio  int    `json:"single_to_double"`       // f32 operations in the time of one on f64
	BlockThreads int    `json:"threads_per_block"`      // most
	BlockDim     [3]int `json:"block_dims"`             // most
	GridDim      [3]int `json:"grid_dims"`              // most
	Shared       int    `json:"shared_bytes"`           // most of a block
	SharedOptIn  int    `json:"shared_bytes_asked_for"` // most of a block whose kernel asks for it
}

// Capability is the compute capability, as "9.0".
func (d *Device) Capability() string { return fmt.Sprintf("%d.%d", d.Major, d.Minor) }

// DriverVersion is the CUDA version of the driver, as "12.4".
func (d *Device) DriverVersion() string {
	return fmt.Sprintf("%d.%d", d.Driver/1000, d.Driver%1000/10)
}

// Arch is the architecture to compile for: the newest that irc makes code for and
// the device runs. Older devices than sm_80 have none.
func (d *Device) Arch() (string, error) {
	switch {
	case d.Major >= 9:
		return "sm_90", nil
	case d.Major >= 8:
		return "sm_80", nil
	}
	return "", fmt.Errorf("%s has compute capability %s; irc makes code for 8.0 (Ampere) and newer: use -engine=eval or -engine=llvm", d.Name, d.Capability())
}

// PeakBandwidth is the bytes a second that device memory can move at its clock: two
// transfers a cycle. It is 0 if the driver does not tell.
func (d *Device) PeakBandwidth() float64 {
	return 2 * float64(d.MemoryClock) * 1e3 * float64(d.BusWidth) / 8
}

// lanes are the f32 units of a multiprocessor by compute capability, from the table
// "Throughput of Native Arithmetic Instructions" of the CUDA programming guide.
var lanes = map[[2]int]int{
	{8, 0}: 64, {8, 6}: 128, {8, 7}: 128, {8, 9}: 128, {9, 0}: 128, {10, 0}: 128, {10, 3}: 128, {12, 0}: 128, {12, 1}: 128,
}

// PeakFlops is the f32 operations a second outside of tensor cores, a fused
// multiply-add being two, at the clock that the driver tells. It is 0 for a
// capability that is not in the table.
func (d *Device) PeakFlops() float64 {
	return float64(d.SMs) * float64(lanes[[2]int{d.Major, d.Minor}]) * 2 * float64(d.Clock) * 1e3
}

// Mem is memory of the device.
type Mem struct {
	Addr uint64
	Size int64
}

// An Arg is a kernel parameter: the low Size bytes (1, 2, 4 or 8) of Bits.
type Arg struct {
	Size uint8
	Bits uint64
}

// Launch asks for one run of a kernel.
type Launch struct {
	Kernel      string
	Grid, Block [3]uint32 // blocks of the grid, threads of a block
	Shared      uint32    // bytes of dynamic shared memory of a block
	Args        []Arg
}

// check refuses what the driver would refuse with "invalid argument" alone.
func (l *Launch) check(d *Device) error {
	threads := uint64(1)
	for i, axis := range []string{"x", "y", "z"} {
		g, b := l.Grid[i], l.Block[i]
		switch {
		case g == 0 || b == 0:
			return fmt.Errorf("kernel @%s: a grid of %v blocks of %v threads is empty", l.Kernel, l.Grid, l.Block)
		case d.GridDim[i] > 0 && uint64(g) > uint64(d.GridDim[i]):
			return fmt.Errorf("kernel @%s: %d blocks along %s; %s has at most %d", l.Kernel, g, axis, d.Name, d.GridDim[i])
		case d.BlockDim[i] > 0 && uint64(b) > uint64(d.BlockDim[i]):
			return fmt.Errorf("kernel @%s: blocks of %d threads along %s; %s has at most %d", l.Kernel, b, axis, d.Name, d.BlockDim[i])
		}
		threads = min(threads, 1<<31) * uint64(b)
	}
	if d.BlockThreads > 0 && threads > uint64(d.BlockThreads) {
		return fmt.Errorf("kernel @%s: blocks of %d threads; %s has at most %d", l.Kernel, threads, d.Name, d.BlockThreads)
	}
	if most := max(d.Shared, d.SharedOptIn); most > 0 && uint64(l.Shared) > uint64(most) {
		return fmt.Errorf("kernel @%s: %d bytes of shared memory a block; %s has at most %d", l.Kernel, l.Shared, d.Name, most)
	}
	return nil
}
