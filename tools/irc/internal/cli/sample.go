package cli

// A SampleRequest asks for draws.
type SampleRequest struct {
	Engine                      DensityRequest // what runs it
	Seed                        uint64
	Chains, Warmup, Draws, Thin int // Draws are kept of each chain
	MaxDepth                    int
	TargetAccept                float64
	Names                       func(names []string) error // hears the names of what is drawn
	Draw                        func(ChainDraw) error      // hears each iteration; chains take turns
}

// A ChainDraw is an iteration of a chain, both from 0. Stats are by sampler.Stats, Values by the names that Names heard, nil of an iteration
// that is not kept.
type ChainDraw struct {
	Chain, Iteration int
	Stats, Values    []float64
}
