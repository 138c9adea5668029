package cli

import (
	"os"
	"syscall"
)

// ownSession is how a check is started.
func ownSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// endSession ends a check.
func endSession(leader int) error {
	p, err := os.FindProcess(leader)
	if err != nil {
		return err
	}
	return p.Kill()
}

// endRest does nothing: what a check has started is no group that Windows ends.
func endRest(int) {}
