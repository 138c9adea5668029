package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/irc-lang/irc/tools/irc/internal/jsontext"
)

// Version is the version of irc; a build may set it with -ldflags.
var Version = "0.1.0"

// versionText is the version with the commit that was built, if known.
func versionText() string {
	commit := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, kv := range info.Settings {
			if kv.Key == "vcs.revision" && len(kv.Value) >= 12 {
				commit = " (" + kv.Value[:12] + ")"
			}
		}
	}
	return Version + commit
}

func version(s *Session) error {
	if s.Flag("json") {
		return s.WriteJSON(jsontext.Fields("irc", Version, "go", runtime.Version(), "os", runtime.GOOS, "arch", runtime.GOARCH))
	}
	_, err := fmt.Fprintf(s.Stdout, "irc %s, %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
