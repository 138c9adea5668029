module {
func.func @f(%a: index) {
  "x.a"() ({
   ^bb0(%q: i1, %r: i1):
     %1 = "x.v"() : () -> i32
     "x.a1"() ({
      ^bb0(%q1: i1):
       %2 = "x.v"() : () -> i32
     }) : () -> ()
     "x.a2"() ({
      ^bb0(%q1: i1):
       %2 = "x.v"() : () -> i32
     }) : () -> ()
  }, {
   ^bb0(%q: i1, %r: i1):
     %1 = "x.v"() : () -> i32
  }) : () -> ()
  "x.b"() ({
   ^bb0(%q: i1, %r: i1):
     %1 = "x.v"() : () -> i32
  }) : () -> ()
  scf.for %i = %a to %a step %a {
    "x.y"() : () -> ()
  }
  scf.for %i = %a to %a step %a {
    "x.y"() : () -> ()
    scf.for %j = %a to %a step %a {
      "x.y"() : () -> ()
    }
  }
  return
}
func.func @g(%a: index) {
  return
}
}
