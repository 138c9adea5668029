package process

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// OwnSession is how a check is started: in a session of its own, and ended when irc
// is killed.
func OwnSession() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGTERM}
}

// EndSession kills all processes of a session, those in groups of their own too:
// timeout(1) makes one.
func EndSession(leader int) error {
	err := syscall.Kill(-leader, syscall.SIGKILL)
	list, _ := os.ReadDir("/proc")
	for _, e := range list {
		pid, no := strconv.Atoi(e.Name())
		if no != nil {
			continue
		}
		// PID (NAME) STATE PARENT GROUP SESSION ...; a name may hold anything.
		stat, _ := os.ReadFile("/proc/" + e.Name() + "/stat")
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) > 3 && string(fields[3]) == strconv.Itoa(leader) {
			syscall.Kill(pid, syscall.SIGKILL) // it may be gone
		}
	}
	return err
}

// EndRest kills what a check that has ended left running in the background.
func EndRest(leader int) { syscall.Kill(-leader, syscall.SIGKILL) } // there is nothing as a rule
