//go:build unix

package hostile

import "testing"

// A model is a hostile program of BUGS with data.
func model(name, program, data, says string) hostile {
	return hostile{name: name, kind: "bug", args: "logdensity {0} -data={1} -fill-inits=prior -engine=eval", says: says,
		gen: func(w input) { w.put(program) }, more: []func(input){func(w input) { w.put(data) }}, exts: []string{"json"}}
}

func TestModels(t *testing.T) {
	rep := func(name, before, unit string, n int, after, says string) hostile {
		return hostile{name: name, kind: "bug", args: "logdensity {0} -data={1} -fill-inits=prior -engine=eval", says: says,
			gen:  func(w input) { w.put(before).rep(n, unit).put(after) },
			more: []func(input){func(w input) { w.put("{\"y\": 1}") }}, exts: []string{"json"}}
	}
	data := func(name, ext, before, unit string, n int, after, says string) hostile {
		return hostile{name: name, kind: "bug", args: "logdensity {0} -data={1} -engine=eval", says: says,
			gen:  func(w input) { w.put("model { y ~ dnorm(0, 1) }") },
			more: []func(input){func(w input) { w.put(before).rep(n, unit).put(after) }}, exts: []string{ext}}
	}
	runAll(t, []hostile{
		rep("parentheses", "model { y ~ dnorm(", "(", deep, "1, 1) }", tooDeep),
		rep("closed parentheses", "model { y ~ dnorm("+"", "(", deep, "", "error:"),
		rep("braces", "model {", "{", deep, "", "error:"),
		rep("loops", "model {", "for (i in 1:2) {", deep, "", tooDeep),
		rep("indices", "model { y ~ dnorm(", "y[", deep, "", "error:"),
		rep("calls", "model { y ~ dnorm(", "exp(", deep, "", tooDeep),
		rep("signs", "model { y ~ dnorm(", "-", deep, "1, 1) }", tooDeep),
		rep("powers", "model { y ~ dnorm(1", "^2", deep, ", 1) }", "error:"),
		rep("a sum", "model { y ~ dnorm(1", "+2", 40000, ", 1) }", ""),
		rep("a long sum", "model { y ~ dnorm(1", "+2", deep, ", 1) }", "error:"),
		rep("digits", "model { y ~ dnorm(", "7", digits, ", 1) }", "error:"),
		rep("digits of a fraction", "model { y ~ dnorm(0.", "7", digits, ", 1) }", ""),
		rep("an exponent", "model { y ~ dnorm(1e", "7", digits, ", 1) }", "error:"),
		rep("a name", "model { y ~ dnorm(1, 1)\n", "a", digits, " <- 2 }", ""),
		rep("an undefined name", "model { y ~ dnorm(", "a", digits, ", 1) }", "error:"),
		rep("a distribution", "model { y ~ d", "a", digits, "(1) }", "error:"),
		rep("arguments", "model { y ~ dnorm(", "1, ", 700000, "1) }", "error:"),
		rep("statements", "model { y ~ dnorm(0, 1)\n", "y ~ dnorm(0, 1)\n", 100000, "}", "error:"),
		model("a huge loop", "model { for (i in 1:1000000000000) { x[i] ~ dnorm(0, 1) } y ~ dnorm(0, 1) }", `{"y": 1}`, "error:"),
		model("loops that multiply", "model { for (i in 1:100000) { for (j in 1:100000) { x[i,j] ~ dnorm(0, 1) } } y ~ dnorm(0, 1) }", `{"y": 1}`, "error:"),
		model("a loop over nothing", "model { for (i in 1:-1000000000) { x[i] ~ dnorm(0, 1) } y ~ dnorm(0, 1) }", `{"y": 1}`, ""),
		model("a huge index", "model { y ~ dnorm(x[1000000000000000000000], 1) }", `{"y": 1, "x": [1]}`, "error:"),
		model("a huge array", "model { x[1000000000000] ~ dnorm(0, 1) y ~ dnorm(0, 1) }", `{"y": 1}`, "error:"),
		model("a huge array with var", "var x[100000,100000,100000]; model { x[1,1,1] ~ dnorm(0, 1) y ~ dnorm(0, 1) }", `{"y": 1}`, "error:"),
		model("indices that multiply", "model { x[100000,100000,100000] ~ dnorm(0, 1) y ~ dnorm(0, 1) }", `{"y": 1}`, "error:"),
		model("a fraction as a bound", "model { for (i in 1:y) { x[i] ~ dnorm(0, 1) } }", `{"y": 1.5}`, "error:"),
		model("NaN as a bound", "model { for (i in 1:y) { x[i] ~ dnorm(0, 1) } }", `{"y": "NaN"}`, "error:"),
		model("infinity as a bound", "model { for (i in 1:y) { x[i] ~ dnorm(0, 1) } }", `{"y": "Infinity"}`, "error:"),
		model("a huge bound from data", "model { for (i in 1:y) { x[i] ~ dnorm(0, 1) } }", `{"y": 1e300}`, "error:"),
		model("a cycle", "model { a ~ dnorm(b, 1) b ~ dnorm(a, 1) }", `{"y": 1}`, "error:"),
		model("a long chain", "model { x[1] ~ dnorm(0, 1) for (i in 2:20000) { x[i] ~ dnorm(x[i-1], 1) } y ~ dnorm(x[20000], 1) }", `{"y": 1}`, ""),
		model("a huge binomial", "model { y ~ dbin(0.5, n) }", `{"y": 1, "n": 1e300}`, ""),
		model("a huge categorical", "model { y ~ dcat(p[]) }", `{"y": 1e18, "p": [0.5, 0.5]}`, ""), // outside the support
		data("deep JSON", "json", `{"y": `, "[", deep, "", "error:"),
		data("deep JSON, closed", "json", `{"y": 1, "x": `+"", "[", deep, "", "error:"),
		data("deep objects", "json", "", `{"y":`, deep, "", "error:"),
		data("digits in JSON", "json", `{"y": `, "7", digits, "}", "error:"),
		data("digits of a fraction in JSON", "json", `{"y": 0.`, "7", digits, "}", ""),
		data("a key of JSON", "json", `{"y": 1, "`, "a", digits, `": 1}`, ""),
		data("a million values", "json", `{"y": 1, "x": [1`, ",1", digits, "]}", ""),
		data("a million rows", "json", `{"y": 1, "x": [[1]`, ",[1]", digits, "]}", ""),
		data("a million names", "json", `{"y": 1`, `, "y": 2`, digits, "}", "error:"),
		data("deep R", "R", "y <- 1\nx <- ", "c(", deep, "", "error:"),
		data("R parentheses", "R", "y <- 1\nx <- ", "(", deep, "", "error:"),
		data("R lists", "R", "", "list(x=", deep, "", "error:"),
		data("digits in R", "R", "y <- ", "7", digits, "", ""),
		data("R values", "R", "y <- 1\nx <- c(1", ",1", digits, ")", ""),
		data("R repeats", "R", "y <- 1\nx <- ", "rep(", 20, "1"+", 1000000)", "error:"),
		data("R sequence", "R", "y <- 1\nx <- 1:", "9", 15, "", "error:"),
		data("CSV columns", "csv", "y", ",x", digits, "\n1\n", "error:"),
		data("CSV rows", "csv", "x,y\n", "1,2\n", digits, "", "error:"),
		data("CSV quotes", "csv", "y\n", "\"", deep+1, "", "error:"),
		data("CSV index", "csv", "y,x[", "9", 18, "]\n1,2\n", "error:"),
		data("table", "txt", "x[", ",", deep, "]\n1\nEND\n", "error:"),
		{name: "a parameter", kind: "bug", args: "logdensity {0} -D y=" + "1e999999999", gen: func(w input) { w.put("model { y ~ dnorm(0, 1) }") }, says: "error:"},
		{name: "points", kind: "bug", args: "logdensity {0} -data={1} -points={2} -engine=eval -json -o /dev/null", gen: func(w input) { w.put("model { y ~ dnorm(mu, 1) mu ~ dnorm(0, 1) }") },
			more: []func(input){func(w input) { w.put(`{"y": 1}`) }, func(w input) { w.put("mu\n").rep(50000, "1\n") }}, exts: []string{"json", "csv"}},
		{name: "points of digits", kind: "bug", args: "logdensity {0} -data={1} -points={2} -engine=eval -json", gen: func(w input) { w.put("model { y ~ dnorm(mu, 1) mu ~ dnorm(0, 1) }") },
			more: []func(input){func(w input) { w.put(`{"y": 1}`) }, func(w input) { w.put("mu\n").rep(digits, "7") }}, exts: []string{"json", "csv"}, says: "error:"},
	})
}
