package irtest

import (
	"syscall"
	"time"
)

// ProcessorTime is that of the process so far.
func ProcessorTime() time.Duration {
	var begin, end, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(self, &begin, &end, &kernel, &user)
	}
	if err != nil {
		panic("GetProcessTimes: " + err.Error())
	}
	return ticks(kernel) + ticks(user)
}

// ticks are what a Filetime counts, of 100 ns each.
func ticks(t syscall.Filetime) time.Duration {
	return time.Duration(int64(t.HighDateTime)<<32|int64(t.LowDateTime)) * 100
}
