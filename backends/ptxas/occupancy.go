package ptxas

// A multiprocessor is what one has room for ("Technical Specifications per Compute Capability" of the CUDA C++ Programming
// Guide). Memory is in bytes.
type multiprocessor struct {
	threads, blocks  int
	shared, reserved int // reserved: what each block takes beyond its own
	grain            int // shared memory is given out by so much
}

var multiprocessors = map[string]multiprocessor{
	"sm_70": {2048, 32, 96 << 10, 0, 256},
	"sm_72": {2048, 32, 96 << 10, 0, 256},
	"sm_75": {1024, 16, 64 << 10, 0, 256},
	"sm_80": {2048, 32, 164 << 10, 1 << 10, 128},
	"sm_86": {1536, 16, 100 << 10, 1 << 10, 128},
	"sm_87": {1536, 16, 164 << 10, 1 << 10, 128},
	"sm_89": {1536, 24, 100 << 10, 1 << 10, 128},
	"sm_90": {2048, 32, 228 << 10, 1 << 10, 128},
}

// All have this much.
const (
	registers     = 65536
	registerGrain = 256 // given out to a warp by so many
	warpThreads   = 32
	warpGrain     = 4 // warps have room by so many: each scheduler has its own registers
)

// A Fit is how many blocks run at once on a multiprocessor.
type Fit struct {
	Blocks, Threads int
	Most            int    // threads that there is room for
	Limit           string // what there is too little of for one more block: registers, shared memory, threads, blocks
}

// Fits computes the occupancy of a kernel by blocks of so many threads; false for an architecture that is not known, and for
// blocks that do not run at all.
func (u Usage) Fits(arch string, threads int) (Fit, bool) {
	m, ok := multiprocessors[arch]
	if !ok || threads < 1 {
		return Fit{}, false
	}
	warps := up(threads, warpThreads) / warpThreads
	best := Fit{Blocks: m.threads / warpThreads / warps, Most: m.threads, Limit: "threads"}
	limit := func(blocks int, what string) {
		if blocks < best.Blocks {
			best.Blocks, best.Limit = blocks, what
		}
	}
	limit(m.blocks, "blocks")
	if u.Registers > 0 {
		byWarp := registers / up(u.Registers*warpThreads, registerGrain)
		limit(byWarp/warpGrain*warpGrain/warps, "registers")
	}
	if n := up(u.Shared+m.reserved, m.grain); n > 0 {
		limit(m.shared/n, "shared memory")
	}
	best.Threads = best.Blocks * threads
	return best, best.Blocks > 0
}

func up(n, grain int) int { return (n + grain - 1) / grain * grain }
