//go:build linux

package script

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A completed command line: what is typed, and what stands there after a tab.
type completed struct{ typed, want string }

// typedLines complete alike in bash and zsh.
var typedLines = []completed{
	{"irc -emit=l", "irc -emit=llvm "},
	{"irc --emit=d", "irc --emit=dot "},
	{"irc -engine=e", "irc -engine=eval "},
	{"irc run x.mlir -engine=l", "irc run x.mlir -engine=llvm "},
	{"irc run -engine l", "irc run -engine llvm "},
	{"irc -passes=a,can", "irc -passes=a,canonicalize"},
	{"irc -passes=canon", "irc -passes=canonicalize"},
	{"irc -passes can", "irc -passes canonicalize"},
	{"irc -print-after=canon", "irc -print-after=canonicalize "},
	{"irc -fill", "irc -fill-inits="},
	{"irc -fill-inits=", "irc -fill-inits=prior "},
	{"irc logd", "irc logdensity "},
	{"irc help logd", "irc help logdensity "},
	{"irc dialects ari", "irc dialects arith "},
	{"irc completion z", "irc completion zsh "},
	{"irc run -verbo", "irc run -verbose "},
	{"irc run unus", "irc run unusual.mlir "},
	{"irc -o=unus", "irc -o=unusual.mlir "},
	{"irc run -args unus", "irc run -args unusual.mlir "},
	{"irc passes -emit=l", "irc passes -emit=l"}, // no flag of it
	{"irc complex", "irc complexity "},
	{"./irc -emit=l", "./irc -emit=llvm "},
	{"true; irc -emit=l", "true; irc -emit=llvm "},
}

// terminal is a pseudo-terminal with a shell in it.
type terminal struct {
	master *os.File
	mu     sync.Mutex
	seen   bytes.Buffer
}

// open starts a shell in a pseudo-terminal of its own.
func open(t *testing.T, dir string, env []string, shell string, args ...string) *terminal {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("this test needs %s: %v", shell, err)
	}
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this test needs a pseudo-terminal: %v", err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 400})
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	x := &terminal{master: master}
	go func() {
		b := make([]byte, 4096)
		for {
			k, err := master.Read(b)
			if err != nil {
				return
			}
			x.mu.Lock()
			x.seen.Write(b[:k])
			x.mu.Unlock()
		}
	}()
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait(); master.Close() })
	return x
}

// screen is what was shown since the last await.
func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen.String()
}

// send types.
func (x *terminal) send(t *testing.T, keys string) {
	t.Helper()
	if _, err := x.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// await waits for a text on the screen and returns what came before it; that is
// forgotten then.
func (x *terminal) await(t *testing.T, text string) string {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		x.mu.Lock()
		before, rest, ok := strings.Cut(x.seen.String(), text)
		if ok {
			x.seen.Reset()
			x.seen.WriteString(rest)
		}
		x.mu.Unlock()
		if ok {
			return before
		}
		if time.Now().After(end) {
			t.Fatalf("no %q within a minute; the terminal shows %q", text, before)
		}
	}
}

// folder is where completion is tried: it has files, and irc.
func folder(t *testing.T) string {
	dir := t.TempDir()
	irc, err := exec.LookPath("irc")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(irc, filepath.Join(dir, "irc")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"unusual.mlir", "args.json"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestCompletionInBash(t *testing.T) {
	dir := folder(t)
	x := open(t, dir, []string{"PS1=ready> ", "TERM=dumb", "INPUTRC=/dev/null", "HISTFILE=", "HOME=" + dir}, "bash", "--noprofile", "--norc", "-i")
	x.await(t, "ready> ")
	x.send(t, "show() { printf '%s|' \"$READLINE_LINE\" > line.new; mv line.new line; }; bind -x '\"\\C-g\": show'; bind 'set enable-bracketed-paste off'; source <(irc completion bash)\r")
	x.await(t, "ready> ")
	x.lines(t, dir, slices.Concat(typedLines, []completed{
		{"irc -passes='a,can", "irc -passes='a,canonicalize'"}, // bash closes them
		{"irc -passes=\"func(can", "irc -passes=\"func(canonicalize\""},
		{"irc '-passes=lower{t", "irc '-passes=lower{to='"},
		{"irc -passes=unroll{fac", "irc -passes=unroll{factor="},
	}))
	// Where = does not break words, it need not be minded.
	x.send(t, "COMP_WORDBREAKS=${COMP_WORDBREAKS//=}\r")
	x.await(t, "ready> ")
	x.lines(t, dir, typedLines)
}

func TestCompletionInZsh(t *testing.T) {
	dir := folder(t)
	x := open(t, dir, []string{"PS1=ready> ", "TERM=dumb", "HOME=" + dir, "ZDOTDIR=" + dir}, "zsh", "-f", "-i")
	x.await(t, "ready> ")
	x.send(t, "unsetopt zle_bracketed_paste; autoload -U compinit; compinit -D -u; source <(irc completion zsh); show() { print -rn -- \"$BUFFER|\" > line.new; mv line.new line }; zle -N show; bindkey -e; bindkey '^G' show; echo loa''ded\r")
	x.await(t, "loaded")
	x.await(t, "ready> ")
	x.lines(t, dir, slices.Concat(typedLines, []completed{
		{"irc -passes='a,can", "irc -passes=a,canonicalize"}, // zsh quotes as it likes
		{"irc -passes=\"func(can", "irc -passes=func\\(canonicalize"},
		{"irc '-passes=lower{t", "irc '-passes=lower{to="},
	}))
}

// lines types lines, each with a tab; Ctrl-G writes what stands on the line then to a
// file, and Ctrl-U takes it away.
func (x *terminal) lines(t *testing.T, dir string, lines []completed) {
	t.Helper()
	file := filepath.Join(dir, "line")
	for _, c := range lines {
		x.send(t, c.typed+"\t\x07")
		var got []byte
		for end := time.Now().Add(20 * time.Second); len(got) == 0; time.Sleep(5 * time.Millisecond) {
			if got, _ = os.ReadFile(file); time.Now().After(end) {
				t.Fatalf("%q: nothing after 20 seconds; the terminal shows %q", c.typed, x.screen())
			}
		}
		if want := c.want + "|"; string(got) != want {
			t.Errorf("%q and a tab become %q, want %q", c.typed, got, want)
		}
		os.Remove(file)
		x.send(t, "\x05\x15")
	}
}

// fish tells by itself what it would complete.
func TestCompletionInFish(t *testing.T) {
	fish, err := exec.LookPath("fish")
	if err != nil {
		t.Skipf("this test needs fish: %v", err)
	}
	dir := folder(t)
	for _, c := range typedLines {
		if strings.HasPrefix(c.typed, "true") {
			continue // it completes a command, and is given one
		}
		cmd := exec.Command(fish, "--no-config", "-c", "irc completion fish | source; complete -C '"+c.typed+"'")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var want string
		if c.want != c.typed {
			want = strings.TrimSpace(c.want[strings.LastIndexByte(c.typed, ' ')+1:])
		}
		var got []string
		for line := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			got = append(got, word)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", c.typed, got, want)
		}
	}
}
