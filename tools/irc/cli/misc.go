package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sort"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
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

func version(s *session) error {
	if s.flag("json") {
		return s.writeJSON(object{{"irc", Version}, {"go", runtime.Version()}, {"os", runtime.GOOS}, {"arch", runtime.GOARCH}})
	}
	_, err := fmt.Fprintf(s.stdout, "irc %s, %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

var shells = []string{"bash", "fish", "zsh"}

// completion writes a script that completes commands, flags and choices.
func completion(s *session) error {
	var flags []string
	for _, f := range flagTable {
		name := "-" + f.name
		if len(f.choices) > 0 {
			for _, c := range strings.Split(f.choiceList(), ", ") {
				flags = append(flags, name+"="+c)
			}
			continue
		}
		if f.kind != boolean {
			name += "="
		}
		flags = append(flags, name)
	}
	sort.Strings(flags)
	words := strings.Join(append(commandNames(), flags...), " ")
	passNames := strings.Join(s.prog.Passes.Names(), " ")
	var script string
	switch s.files[0] {
	case "bash":
		script = fmt.Sprintf(`# source <(irc completion bash)
_irc() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}"
  compopt -o nospace 2>/dev/null
  case "$prev" in
    -passes|--passes|passes|-print-after|-print-before) COMPREPLY=($(compgen -W "%s" -- "$cur")); return;;
  esac
  COMPREPLY=($(compgen -W "%s" -- "$cur") $(compgen -f -- "$cur"))
}
complete -F _irc irc
`, passNames, words)
	case "zsh":
		script = fmt.Sprintf("#compdef irc\n# irc completion zsh > ~/.zfunc/_irc\n_irc() {\n  compadd -S '' -- %s\n  _files\n}\n_irc \"$@\"\n", words)
	case "fish":
		var b strings.Builder
		b.WriteString("# irc completion fish | source\n")
		for _, c := range commands[1:] {
			fmt.Fprintf(&b, "complete -c irc -n __fish_use_subcommand -a %s -d '%s'\n", c.name, strings.ReplaceAll(c.usage, "'", `\'`))
		}
		for _, f := range flagTable {
			fmt.Fprintf(&b, "complete -c irc -o %s -d '%s'\n", f.name, strings.ReplaceAll(f.doc, "'", `\'`))
		}
		script = b.String()
	default:
		near := diag.Nearest(s.files[0], shells)
		if near != "" {
			near = "did you mean " + near + "?"
		} else {
			near = "there are " + strings.Join(shells, ", ")
		}
		return usagef(near, "no completion for %q", s.files[0])
	}
	return s.write([]byte(script))
}
