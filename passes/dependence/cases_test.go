package dependence

import (
	"fmt"
	"strings"
	"testing"
)

// The worked cases, C1 to C15 without C13, and variants of them. Lists are complete:
// one line a statement that depends on anything, one a dummy, one a problem.
var cases = []struct{ name, program, want string }{
	{"C1 chain", `param data
		decl | | x <-
		op | | x <- data
		decl | | y <-
		op | | y <- x
		out | | <- y`, `
		S1: D{S0} P{data}
		S3: D{S0,S2} O{S1}
		S4: D{S2} O{S3} output`},
	{"C1 without attributes", `param data
		decl | | x <-
		 | | x <- data
		decl | | y <-
		 | | y <- x
		out | | <- y`, `
		S1: D{S0} P{data}
		S3: D{S0,S2} O{S1}
		S4: D{S2} O{S3} output`},
	{"C2 initializers", `
		decl | | x <-
		init | | x <-
		init | | x <- x
		decl | | y <-
		op | | x <- x y
		op | | y <- x`, `
		S1: D{S0}
		S2: D{S0} O{S1}
		S4: D{S0,S3} O{S4,S5} I{S1,S2}
		S5: D{S0,S3} O{S4}`},
	{"C2 the nearest initializer that covers", `
		decl | | x <-
		shape x 4
		init | | x <-
		init | | x[0] <-
		init | | x[1] <-
		init | | x <- x[0]
		init | | x <- x
		op | | x <-`, `
		S1: D{S0}
		S2: D{S0}
		S3: D{S0}
		S4: D{S0} O{S2}
		S5: D{S0} O{S4}
		S6: D{S0} I{S1,S2,S3,S4,S5}`},
	{"C3 rule 1 trap", `
		decl | | x <-
		shape x 2
		 | | x[0] <-
		 | | x[1] <-
		op | | y <- x`, `
		S1: D{S0}
		S2: D{S0,S1}
		S3: D{S0,S1} O{S2}`},
	{"C3 with op", `
		decl | | x <-
		shape x 2
		op | | x[0] <-
		op | | x[1] <-
		op | | y <- x
		op | | z <- x[0]
		op | for i 0 2 | w[i] <- x[i]`, `
		S1: D{S0}
		S2: D{S0}
		S3: D{S0} O{S1,S2}
		S4: D{S0} O{S1}
		S5: D{S0} O{S1,S2}`},
	{"C4 of the document", `param a
		decl | | x <-
		shape x 2
		op | if a | x <- cond:a
		op | if !a | x[0] <- cond:a
		op | if !a | x[1] <- cond:a
		op | | y <- x[0]
		op | | z <- x
		op | | w <- any:x
		op | if a | v <- x cond:a
		op | | u <- x[1]
		op | | t <- skip:x`, `
		S1: D{S0} P{a}
		S2: D{S0} P{a}
		S3: D{S0} P{a}
		S4: D{S0} O{K1}
		S5: D{S0} O{K1,K2}
		S6: D{S0} O{K1,K2} R{any(K1, K2)}
		S7: D{S0} O{S1} P{a}
		S8: D{S0} O{K2}
		S9: D{S0} O{K1,K2} R{K1,K2}
		K1 x[0]: S1 S2
		K2 x[1]: S1 S3`},
	{"C5 three ways", `param k
		op | if k==0 | x <-
		op | if k==1 | x <-
		op | if k==2 | x <-
		op | | y <- x
		op | if k==1 | z <- x`, `
		S3: O{K1}
		S4: O{S1}
		K1 x: S0 S1 S2
		warning: S3 (y <- x) reads x, which no statement defines where k = `},
	{"C6 no overlap", `param a
		shape x 2
		op | if a | x[0] <-
		op | if !a | x[1] <-
		op | | y <- x`, `
		S2: O{S0,S1}`},
	{"C8 partial overlap", `param a
		shape x 2 3
		op | if a for i 0 2 | x[i,0] <-
		op | if !a | x[0] <-
		op | if !a | x[1] <-
		op | if !a | y <- x[0,1]
		op | | z <- x[0,1]
		op | | w <- x[0,0]
		op | | v <- x`, `
		S3: O{S1}
		S4: O{S1}
		S5: O{K1}
		S6: O{K1,K2}
		K1 x[0,0]: S0 S1
		K2 x[1,0]: S0 S2
		warning: S4 (z <- x[0,1]) reads x[0,1], which no statement defines where a = true`},
	{"C10 annotations", `
		decl | | a <-
		op | | a <-
		op | | b <-
		op | | c <-
		op | | d <-
		decl | | e <-
		op | | e <-
		op | | r <- skip:a trigger:b fresh:c d ignore:e`, `
		S1: D{S0}
		S6: D{S5}
		S7: D{S0,S5} O{S1,S2,S3,S4} R{S1} T{S2} F{S3}`},
	{"C10 with itself", `
		decl | | r <-
		op | | b <-
		op | | r <- trigger:b trigger:r fresh:r`, `
		S2: D{S0} O{S1,S2} T{S1}`},
	{"C15 forward", `
		init | | x[0] <-
		op | for i 1 10 | x[i] <- x[i-1]`, `
		S1: O{S1(i: -1)} I{S0}`},
	{"C15 backward", `
		init | | x[10] <-
		op | for i 0 10 | x[i] <- x[i+1]`, `
		S1: O{S1(i: +1)} I{S0}`},
	{"C15 middle out", `
		op | for i 0 11 if i==5 | x[i] <-
		op | for i 0 11 if i<5 | x[i] <- x[i+1]
		op | for i 0 11 if i>5 | x[i] <- x[i-1]
		out | for i 0 11 | <- x[i]`, `
		S1: O{S0(i: +1),S1(i: +1)}
		S2: O{S0(i: -1),S2(i: -1)}
		S3: O{S0(i: 0),S1(i: 0),S2(i: 0)} output
		warning: the loop over i can run neither way: S2 (x[i] <- x[i-1]) reads what an earlier iteration writes, S1 (x[i] <- x[i+1]) what a later one does`},
}

func TestCases(t *testing.T) { runCases(t, cases) }

// runCases compares all that is found with what is wanted; of problems the beginning.
func runCases(t *testing.T, list []struct{ name, program, want string }) {
	for _, c := range list {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			got := found(Analyze(program(t, c.program)))
			left := got
			for _, want := range strings.Split(strings.TrimSpace(c.want), "\n") {
				if want = strings.TrimSpace(want); want == "" {
					continue
				}
				rest := without(left, want)
				if len(rest) == len(left) {
					t.Errorf("no %q", want)
				}
				left = rest
			}
			if len(left) > 0 || t.Failed() {
				t.Errorf("more than is wanted:\n%s\nall:\n%s", strings.Join(left, "\n"), strings.Join(got, "\n"))
			}
		})
	}
}

func without(list []string, prefix string) (out []string) {
	for _, l := range list {
		if l != prefix && !(isProblem(prefix) && strings.HasPrefix(l, prefix)) {
			out = append(out, l)
		}
	}
	return out
}

func isProblem(s string) bool {
	return strings.HasPrefix(s, "warning: ") || strings.HasPrefix(s, "error: ")
}

// found lists what the analysis found, as the cases spell it.
func found(r *Result) (out []string) {
	for _, i := range r.Infos {
		text := spelt(i)
		for _, d := range i.Dependences {
			if len(d.Offsets) > 0 {
				text = strings.Replace(text, d.Label(), d.Label()+spellOffsets(d.Offsets), 1)
			}
		}
		if text != "" {
			out = append(out, i.ID+": "+text)
		}
	}
	for _, k := range r.Cliques {
		var members []string
		for _, s := range k.Members {
			members = append(members, s.ID)
		}
		out = append(out, fmt.Sprintf("%s %s: %s", k.ID, k.Text, strings.Join(members, " ")))
	}
	for _, p := range r.Problems {
		out = append(out, p.Severity.String()+": "+p.Message)
	}
	return out
}
