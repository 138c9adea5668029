package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// A signalError ends a run that was asked to end. The exit status is 128 and the
// signal's number, as shells have it.
type signalError struct{ signal syscall.Signal }

var signalNames = map[syscall.Signal]string{syscall.SIGHUP: "SIGHUP", syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGQUIT: "SIGQUIT"}

func (e *signalError) Error() string { return "ended by " + signalNames[e.signal] }

// signals tells when this process is asked to end, until stop is called. What it was
// started to ignore, as nohup does with SIGHUP, it ignores.
func signals() (asked <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	for s := range signalNames {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
	return c, func() { signal.Stop(c) }
}
