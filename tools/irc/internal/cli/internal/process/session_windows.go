package process

import (
	"os"
	"syscall"
)

// OwnSession is how a check is started.
func OwnSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// EndSession ends a check.
func EndSession(leader int) error {
	p, err := os.FindProcess(leader)
	if err != nil {
		return err
	}
	return p.Kill()
}

// EndRest does nothing: what a check has started is no group that Windows ends.
func EndRest(int) {}
