// Generates the code of a schedule with isl and executes it; takes times.
//
//   oracle FILE       reads lines "N=4 M=2" and writes for each the instances
//                     that are executed, a line each, then "end"
//   oracle -t FILE    writes the CPU seconds that generating takes
//   oracle -s FILE    writes the CPU seconds that scheduling takes
//   oracle -f FILE    the same with Feautrier's algorithm
//
// FILE is a schedule tree, or a schedule map, a context and options; for -s and -f
// constraints on schedules. It is read anew for each time.
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/stream.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 20000 };

static struct { char name[64]; long v; } vars[512];
static int nvars, count;

static long lookup(const char *name) {
  for (int i = nvars - 1; i >= 0; i--)
    if (!strcmp(vars[i].name, name)) return vars[i].v;
  fprintf(stderr, "no value for %s\n", name);
  exit(3);
}

static long floord(long a, long b) { long q = a / b; return a % b && (a < 0) != (b < 0) ? q - 1 : q; }

static long eval(isl_ast_expr *e) {
  long r = 0;
  if (isl_ast_expr_get_type(e) == isl_ast_expr_int) {
    isl_val *v = isl_ast_expr_get_val(e);
    r = isl_val_get_num_si(v);
    isl_val_free(v);
  } else if (isl_ast_expr_get_type(e) == isl_ast_expr_id) {
    isl_id *id = isl_ast_expr_get_id(e);
    r = lookup(isl_id_get_name(id));
    isl_id_free(id);
  } else {
    int n = isl_ast_expr_op_get_n_arg(e);
    enum isl_ast_expr_op_type op = isl_ast_expr_op_get_type(e);
#define ARG(i, x) isl_ast_expr *a##x = isl_ast_expr_op_get_arg(e, i); long x = eval(a##x); isl_ast_expr_free(a##x)
    ARG(0, x);
    if (op == isl_ast_expr_op_cond || op == isl_ast_expr_op_select) {
      ARG(x ? 1 : 2, y);
      return y;
    }
    if (op == isl_ast_expr_op_minus) return -x;
    r = x;
    for (int i = 1; i < n; i++) {
      if ((op == isl_ast_expr_op_and_then && !r) || (op == isl_ast_expr_op_or_else && r)) return r;
      ARG(i, y);
      switch (op) {
      case isl_ast_expr_op_and: case isl_ast_expr_op_and_then: r = r && y; break;
      case isl_ast_expr_op_or: case isl_ast_expr_op_or_else: r = r || y; break;
      case isl_ast_expr_op_max: r = r > y ? r : y; break;
      case isl_ast_expr_op_min: r = r < y ? r : y; break;
      case isl_ast_expr_op_add: r += y; break;
      case isl_ast_expr_op_sub: r -= y; break;
      case isl_ast_expr_op_mul: r *= y; break;
      case isl_ast_expr_op_div: case isl_ast_expr_op_pdiv_q: r /= y; break;
      case isl_ast_expr_op_fdiv_q: r = floord(r, y); break;
      case isl_ast_expr_op_pdiv_r: case isl_ast_expr_op_zdiv_r: r %= y; break;
      case isl_ast_expr_op_eq: r = r == y; break;
      case isl_ast_expr_op_le: r = r <= y; break;
      case isl_ast_expr_op_lt: r = r < y; break;
      case isl_ast_expr_op_ge: r = r >= y; break;
      case isl_ast_expr_op_gt: r = r > y; break;
      default: fprintf(stderr, "operator %d\n", op); exit(3);
      }
    }
  }
  return r;
}

static long take(isl_ast_expr *e) { long r = eval(e); isl_ast_expr_free(e); return r; }

static void print_call(isl_ast_expr *e) {
  int n = isl_ast_expr_op_get_n_arg(e);
  for (int i = 0; i < n; i++) {
    isl_ast_expr *a = isl_ast_expr_op_get_arg(e, i);
    if (i == 0 && isl_ast_expr_get_type(a) == isl_ast_expr_id) {
      isl_id *id = isl_ast_expr_get_id(a);
      printf("%s", isl_id_get_name(id) ? isl_id_get_name(id) : "");
      isl_id_free(id);
    } else
      printf(" %ld", eval(a));
    isl_ast_expr_free(a);
  }
  puts("");
  count++;
}

static void run(isl_ast_node *n) {
  if (count >= MOST) return;
  switch (isl_ast_node_get_type(n)) {
  case isl_ast_node_for: {
    isl_ast_expr *it = isl_ast_node_for_get_iterator(n);
    isl_id *id = isl_ast_expr_get_id(it);
    int at = nvars++;
    snprintf(vars[at].name, sizeof vars[at].name, "%s", isl_id_get_name(id));
    vars[at].v = take(isl_ast_node_for_get_init(n));
    isl_ast_node *body = isl_ast_node_for_get_body(n);
    if (isl_ast_node_for_is_degenerate(n))
      run(body);
    else {
      long inc = take(isl_ast_node_for_get_inc(n));
      for (; count < MOST && take(isl_ast_node_for_get_cond(n)); vars[at].v += inc) run(body);
    }
    isl_ast_node_free(body);
    isl_id_free(id);
    isl_ast_expr_free(it);
    nvars--;
    break;
  }
  case isl_ast_node_if: {
    isl_ast_node *b = NULL;
    if (take(isl_ast_node_if_get_cond(n)))
      b = isl_ast_node_if_get_then_node(n);
    else if (isl_ast_node_if_has_else_node(n))
      b = isl_ast_node_if_get_else_node(n);
    if (b) run(b);
    isl_ast_node_free(b);
    break;
  }
  case isl_ast_node_block: {
    isl_ast_node_list *l = isl_ast_node_block_get_children(n);
    for (int i = 0; i < isl_ast_node_list_n_ast_node(l); i++) {
      isl_ast_node *c = isl_ast_node_list_get_ast_node(l, i);
      run(c);
      isl_ast_node_free(c);
    }
    isl_ast_node_list_free(l);
    break;
  }
  case isl_ast_node_mark: {
    isl_ast_node *c = isl_ast_node_mark_get_node(n);
    run(c);
    isl_ast_node_free(c);
    break;
  }
  case isl_ast_node_user: {
    isl_ast_expr *e = isl_ast_node_user_get_expr(n);
    print_call(e);
    isl_ast_expr_free(e);
    break;
  }
  default:;
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

struct input {
  isl_schedule *s;
  isl_union_map *m, *opt;
  isl_set *context;
  isl_schedule_constraints *sc;
};

static struct input read_input(isl_ctx *ctx, const char *file, int constraints) {
  struct input in = {0};
  FILE *f = fopen(file, "r");
  if (!f) exit(2);
  if (constraints) {
    in.sc = isl_schedule_constraints_read_from_file(ctx, f);
    if (!in.sc) exit(2);
  } else {
    isl_stream *st = isl_stream_new_file(ctx, f);
    struct isl_obj o = isl_stream_read_obj(st);
    if (!o.v) exit(2);
    if (o.type == isl_obj_schedule)
      in.s = o.v;
    else {
      in.m = o.type == isl_obj_map ? isl_union_map_from_map(o.v) : o.v;
      in.context = isl_stream_read_set(st);
      in.opt = isl_stream_read_union_map(st);
    }
    isl_stream_free(st);
  }
  fclose(f);
  return in;
}

static isl_ast_node *generate(isl_ctx *ctx, struct input in) {
  isl_ast_build *b = in.s ? isl_ast_build_alloc(ctx) : isl_ast_build_from_context(in.context);
  isl_ast_node *t;
  if (in.s)
    t = isl_ast_build_node_from_schedule(b, in.s);
  else {
    b = isl_ast_build_set_options(b, in.opt);
    t = isl_ast_build_node_from_schedule_map(b, in.m);
  }
  isl_ast_build_free(b);
  return t;
}

static void take_time(isl_ctx *ctx, char how, const char *file) {
  double spent = 0;
  int n = 0;
  if (how == 'f') isl_options_set_schedule_algorithm(ctx, ISL_SCHEDULE_ALGORITHM_FEAUTRIER);
  do {
    struct input in = read_input(ctx, file, how != 't');
    double start = now();
    if (how == 't')
      isl_ast_node_free(generate(ctx, in));
    else
      isl_schedule_free(isl_schedule_constraints_compute_schedule(in.sc));
    spent += now() - start;
    n++;
  } while (spent < 0.1 && n < 300);
  printf("%.9f\n", spent / n);
}

int main(int argc, char **argv) {
  isl_ctx *ctx = isl_ctx_alloc();
  isl_options_set_ast_build_detect_min_max(ctx, 1);
  if (argc > 2) {
    take_time(ctx, argv[1][1], argv[2]);
    return 0;
  }
  isl_ast_node *t = generate(ctx, read_input(ctx, argv[1], 0));
  if (!t) return 4;
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    nvars = count = 0;
    for (char *w = strtok(line, " \n"); w; w = strtok(NULL, " \n")) {
      char *eq = strchr(w, '=');
      *eq = 0;
      snprintf(vars[nvars].name, sizeof vars[0].name, "%s", w);
      vars[nvars++].v = atol(eq + 1);
    }
    run(t);
    puts("end");
  }
  return 0;
}
