func.func @assert(%a: i1, %b: i1) {
  cf.assert %a, "a holds"
  cf.assert %b, "\22b\22 holds\0A" {note = 1 : i32}
  "cf.assert"(%a) <{msg = ""}> : (i1) -> ()
  return
}
