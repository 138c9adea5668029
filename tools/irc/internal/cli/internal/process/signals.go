package process

import (
	"os"
	"os/signal"
	"syscall"
)

// A SignalError ends a run that was asked to end. The exit status is 128 and the
// signal's number, as shells have it.
type SignalError struct{ Signal syscall.Signal }

var signalNames = map[syscall.Signal]string{syscall.SIGHUP: "SIGHUP", syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGQUIT: "SIGQUIT"}

func (e *SignalError) Error() string { return "ended by " + signalNames[e.Signal] }

// Asked tells when this process is asked to end, until stop is called. What it was
// started to ignore, as nohup does with SIGHUP, it ignores.
func Asked() (asked <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	for s := range signalNames {
		if !signal.Ignored(s) {
			signal.Notify(c, s)
		}
	}
	return c, func() { signal.Stop(c) }
}
