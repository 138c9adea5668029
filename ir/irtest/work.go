package irtest

import "time"

// Work starts to count what the process computes; the function that it returns
// says how much that was so far, as processor time without the race detector.
// Tests bound this where they claim that little is done: the time by the clock
// depends on what else the machine does. Tests beside them in the process count.
func Work() (spent func() time.Duration) {
	start := ProcessorTime()
	return func() time.Duration { return (ProcessorTime() - start) / raceCost }
}
