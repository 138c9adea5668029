package bridgestan

import (
	"fmt"
	"strings"
)

// forR are the functions that R calls by .C, where all is by address: the result, the name, and the arguments, of which a p is
// an address behind an address, an i a flag or a number of 32 bits behind one, and a d numbers. A function that may fail takes
// where its message goes, and once more for R, which copies texts.
var forR = []struct {
	name, result, args string
	fails              bool
}{
	{"model_construct", "ptr", "pi", true},
	{"model_destruct", "void", "p", false},
	{"name", "ptr", "p", false},
	{"model_info", "ptr", "p", false},
	{"param_names", "ptr", "pbb", false},
	{"param_unc_names", "ptr", "p", false},
	{"param_num", "i32", "pbb", false},
	{"param_unc_num", "i32", "p", false},
	{"param_constrain", "i32", "pbbddp", true},
	{"param_unconstrain", "i32", "pdd", true},
	{"param_unconstrain_json", "i32", "ppd", true},
	{"log_density", "i32", "pbbdd", true},
	{"log_density_gradient", "i32", "pbbddd", true},
	{"log_density_hessian", "i32", "pbbdddd", true},
	{"log_density_hessian_vector_product", "i32", "pbbdddd", true},
	{"rng_construct", "ptr", "i", true},
	{"rng_destruct", "void", "p", false},
}

func (w *writer) forR() {
	for _, f := range forR {
		var params, args, body []string
		for i, kind := range f.args {
			x := fmt.Sprintf("%%x%d", i)
			params = append(params, "ptr "+x)
			switch kind {
			case 'p':
				body = append(body, fmt.Sprintf("%%v%d = load ptr, ptr %s", i, x))
				args = append(args, fmt.Sprintf("ptr %%v%d", i))
			case 'i', 'b':
				body = append(body, fmt.Sprintf("%%v%d = load i32, ptr %s", i, x))
				if kind == 'i' {
					args = append(args, fmt.Sprintf("i32 %%v%d", i))
					break
				}
				body = append(body, fmt.Sprintf("%%is%d = icmp ne i32 %%v%d, 0", i, i), fmt.Sprintf("%%b%d = zext i1 %%is%d to i8", i, i))
				args = append(args, fmt.Sprintf("i8 %%b%d", i))
			default:
				args = append(args, "ptr "+x)
			}
		}
		if f.result != "void" {
			params = append(params, "ptr %out")
		}
		if f.fails {
			params, args = append(params, "ptr %text", "ptr %again"), append(args, "ptr %text")
		}
		call := fmt.Sprintf("call %s @bs_%s(%s)", f.result, f.name, strings.Join(args, ", "))
		if f.result != "void" {
			call = "%r = " + call
		}
		if body = append(body, call); f.result != "void" {
			body = append(body, fmt.Sprintf("store %s %%r, ptr %%out", f.result))
		}
		if f.fails {
			body = append(body, "%said = load ptr, ptr %text", "store ptr %said, ptr %again")
		}
		w.line("define void @bs_%s_R(%s) {\n  %s\n  ret void\n}", f.name, strings.Join(params, ", "), strings.Join(body, "\n  "))
	}
	w.line("define void @bs_free_error_msg_R(ptr %%text) {\n  %%v = load ptr, ptr %%text\n  call void @free(ptr %%v)\n  ret void\n}")
	w.line("define void @bs_version_R(ptr %%major, ptr %%minor, ptr %%patch) {")
	for _, v := range []string{"major", "minor", "patch"} {
		w.line("  %%v.%s = load i32, ptr @bs_%s_version\n  store i32 %%v.%s, ptr %%%s", v, v, v, v)
	}
	w.line("  ret void\n}")
}
