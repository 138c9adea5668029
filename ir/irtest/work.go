package irtest

import (
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Work starts to count what the process computes; the function that it returns
// says how much that was so far, as processor time without the race detector.
// Tests bound this where they claim that little is done: the time by the clock
// depends on what else the machine does. Tests beside them in the process count.
func Work() (spent func() time.Duration) {
	start := ProcessorTime()
	return func() time.Duration { return (ProcessorTime() - start) / raceCost() }
}

// raceCost is how much longer the race detector makes programs take, at most, if it is on.
var raceCost = sync.OnceValue(func() time.Duration {
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return 20
	}
	return 1
})
