// Every op of arith, in the custom form.
func.func @ints(%a: i32, %b: i32, %x: index, %y: index, %v: vector<4xi8>, %t: tensor<4x?xi64>) {
  %0 = arith.addi %a, %b : i32
  %1 = arith.addi %x, %y : index
  %2 = arith.addi %v, %v : vector<4xi8>
  %3 = arith.subi %a, %b : i32
  %4 = arith.subi %x, %y : index
  %5 = arith.subi %v, %v : vector<4xi8>
  %6 = arith.muli %a, %b : i32
  %7 = arith.muli %x, %y : index
  %8 = arith.muli %v, %v : vector<4xi8>
  %9 = arith.shli %a, %b : i32
  %10 = arith.shli %x, %y : index
  %11 = arith.shli %v, %v : vector<4xi8>
  %12 = arith.shrui %a, %b : i32
  %13 = arith.shrui %x, %y : index
  %14 = arith.shrui %v, %v : vector<4xi8>
  %15 = arith.shrsi %a, %b : i32
  %16 = arith.shrsi %x, %y : index
  %17 = arith.shrsi %v, %v : vector<4xi8>
  %18 = arith.andi %a, %b : i32
  %19 = arith.andi %x, %y : index
  %20 = arith.andi %v, %v : vector<4xi8>
  %21 = arith.ori %a, %b : i32
  %22 = arith.ori %x, %y : index
  %23 = arith.ori %v, %v : vector<4xi8>
  %24 = arith.xori %a, %b : i32
  %25 = arith.xori %x, %y : index
  %26 = arith.xori %v, %v : vector<4xi8>
  %27 = arith.maxsi %a, %b : i32
  %28 = arith.maxsi %x, %y : index
  %29 = arith.maxsi %v, %v : vector<4xi8>
  %30 = arith.maxui %a, %b : i32
  %31 = arith.maxui %x, %y : index
  %32 = arith.maxui %v, %v : vector<4xi8>
  %33 = arith.minsi %a, %b : i32
  %34 = arith.minsi %x, %y : index
  %35 = arith.minsi %v, %v : vector<4xi8>
  %36 = arith.minui %a, %b : i32
  %37 = arith.minui %x, %y : index
  %38 = arith.minui %v, %v : vector<4xi8>
  %39 = arith.divui %a, %b : i32
  %40 = arith.divui %x, %y : index
  %41 = arith.divui %v, %v : vector<4xi8>
  %42 = arith.divsi %a, %b : i32
  %43 = arith.divsi %x, %y : index
  %44 = arith.divsi %v, %v : vector<4xi8>
  %45 = arith.ceildivui %a, %b : i32
  %46 = arith.ceildivui %x, %y : index
  %47 = arith.ceildivui %v, %v : vector<4xi8>
  %48 = arith.ceildivsi %a, %b : i32
  %49 = arith.ceildivsi %x, %y : index
  %50 = arith.ceildivsi %v, %v : vector<4xi8>
  %51 = arith.floordivsi %a, %b : i32
  %52 = arith.floordivsi %x, %y : index
  %53 = arith.floordivsi %v, %v : vector<4xi8>
  %54 = arith.remui %a, %b : i32
  %55 = arith.remui %x, %y : index
  %56 = arith.remui %v, %v : vector<4xi8>
  %57 = arith.remsi %a, %b : i32
  %58 = arith.remsi %x, %y : index
  %59 = arith.remsi %v, %v : vector<4xi8>
  %60 = arith.addi %a, %b overflow<nsw> : i32
  %61 = arith.addi %a, %b overflow<nsw, nuw> {t.note = 1 : i32} : i32
  %62 = arith.subi %a, %b overflow<nsw> : i32
  %63 = arith.subi %a, %b overflow<nsw, nuw> {t.note = 1 : i32} : i32
  %64 = arith.muli %a, %b overflow<nsw> : i32
  %65 = arith.muli %a, %b overflow<nsw, nuw> {t.note = 1 : i32} : i32
  %66 = arith.shli %a, %b overflow<nsw> : i32
  %67 = arith.shli %a, %b overflow<nsw, nuw> {t.note = 1 : i32} : i32
  %68:2 = arith.addui_extended %a, %b : i32, i1
  %69:2 = arith.addui_extended %v, %v : vector<4xi8>, vector<4xi1>
  %70:2 = arith.mului_extended %a, %b : i32
  %71:2 = arith.mulsi_extended %v, %v {t.note} : vector<4xi8>
  %72 = arith.addi %t, %t : tensor<4x?xi64>
  return
}

func.func @floats(%a: f32, %b: f32, %d: f64, %v: vector<2x[4]xf16>, %h: bf16) {
  %0 = arith.addf %a, %b : f32
  %1 = arith.addf %d, %d fastmath<fast> : f64
  %2 = arith.addf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %3 = arith.subf %a, %b : f32
  %4 = arith.subf %d, %d fastmath<fast> : f64
  %5 = arith.subf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %6 = arith.mulf %a, %b : f32
  %7 = arith.mulf %d, %d fastmath<fast> : f64
  %8 = arith.mulf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %9 = arith.divf %a, %b : f32
  %10 = arith.divf %d, %d fastmath<fast> : f64
  %11 = arith.divf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %12 = arith.remf %a, %b : f32
  %13 = arith.remf %d, %d fastmath<fast> : f64
  %14 = arith.remf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %15 = arith.maximumf %a, %b : f32
  %16 = arith.maximumf %d, %d fastmath<fast> : f64
  %17 = arith.maximumf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %18 = arith.minimumf %a, %b : f32
  %19 = arith.minimumf %d, %d fastmath<fast> : f64
  %20 = arith.minimumf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %21 = arith.maxnumf %a, %b : f32
  %22 = arith.maxnumf %d, %d fastmath<fast> : f64
  %23 = arith.maxnumf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %24 = arith.minnumf %a, %b : f32
  %25 = arith.minnumf %d, %d fastmath<fast> : f64
  %26 = arith.minnumf %v, %v fastmath<nnan,nsz> {t.note} : vector<2x[4]xf16>
  %27 = arith.negf %a : f32
  %28 = arith.negf %a fastmath<reassoc,contract> : f32
  %29 = arith.negf %h : bf16
  return
}

func.func @casts(%a: i32, %f: f32, %x: index, %v: vector<4xi8>, %m: memref<4xi32>) {
  %0 = arith.extui %a : i32 to i64
  %1 = arith.extsi %a : i32 to i64
  %2 = arith.trunci %a : i32 to i1
  %3 = arith.uitofp %a : i32 to f16
  %4 = arith.sitofp %a : i32 to f64
  %5 = arith.fptoui %f : f32 to i1
  %6 = arith.fptosi %f : f32 to i64
  %7 = arith.index_cast %x : index to i32
  %8 = arith.index_cast %a : i32 to index
  %9 = arith.index_castui %x : index to i8
  %10 = arith.bitcast %a : i32 to f32
  %11 = arith.bitcast %f : f32 to i32
  %12 = arith.extf %f : f32 to f64
  %13 = arith.truncf %f : f32 to bf16
  %14 = arith.extf %f fastmath<fast> : f32 to f64
  %15 = arith.truncf %f fastmath<nnan> : f32 to f16
  %16 = arith.truncf %f to_nearest_even : f32 to f16
  %17 = arith.truncf %f toward_zero fastmath<ninf> : f32 to f16
  %18 = arith.truncf %f downward : f32 to f16
  %19 = arith.truncf %f upward : f32 to f16
  %20 = arith.truncf %f to_nearest_away : f32 to f16
  %21 = arith.extsi %v : vector<4xi8> to vector<4xi32>
  %22 = arith.index_cast %m : memref<4xi32> to memref<4xindex>
  %23 = arith.bitcast %m : memref<4xi32> to memref<4xf32>
  %24 = arith.sitofp %v : vector<4xi8> to vector<4xf64>
  return
}

func.func @compares(%a: i32, %b: i32, %f: f32, %v: vector<4xi8>, %c: i1, %cv: vector<4xi1>) {
  %0 = arith.cmpi eq, %a, %b : i32
  %1 = arith.cmpi ne, %a, %b : i32
  %2 = arith.cmpi slt, %a, %b : i32
  %3 = arith.cmpi sle, %a, %b : i32
  %4 = arith.cmpi sgt, %a, %b : i32
  %5 = arith.cmpi sge, %a, %b : i32
  %6 = arith.cmpi ult, %a, %b : i32
  %7 = arith.cmpi ule, %a, %b : i32
  %8 = arith.cmpi ugt, %a, %b : i32
  %9 = arith.cmpi uge, %a, %b : i32
  %10 = arith.cmpf false, %f, %f : f32
  %11 = arith.cmpf oeq, %f, %f : f32
  %12 = arith.cmpf ogt, %f, %f : f32
  %13 = arith.cmpf oge, %f, %f : f32
  %14 = arith.cmpf olt, %f, %f : f32
  %15 = arith.cmpf ole, %f, %f : f32
  %16 = arith.cmpf one, %f, %f : f32
  %17 = arith.cmpf ord, %f, %f : f32
  %18 = arith.cmpf ueq, %f, %f : f32
  %19 = arith.cmpf ugt, %f, %f : f32
  %20 = arith.cmpf uge, %f, %f : f32
  %21 = arith.cmpf ult, %f, %f : f32
  %22 = arith.cmpf ule, %f, %f : f32
  %23 = arith.cmpf une, %f, %f : f32
  %24 = arith.cmpf uno, %f, %f : f32
  %25 = arith.cmpf true, %f, %f : f32
  %26 = arith.cmpf olt, %f, %f fastmath<nnan,ninf> : f32
  %27 = arith.cmpi slt, %v, %v : vector<4xi8>
  %28 = arith.select %c, %a, %b : i32
  %29 = arith.select %c, %v, %v : vector<4xi8>
  %30 = arith.select %cv, %v, %v : vector<4xi1>, vector<4xi8>
  %31 = arith.select %c, %a, %b {t.note} : i32
  return
}

func.func @constants() {
  %0 = arith.constant 1 : i32
  %1 = arith.constant -1 : i8
  %2 = arith.constant true
  %3 = arith.constant false
  %4 = arith.constant 4 : index
  %5 = arith.constant 1.5 : f32
  %6 = arith.constant 0x7FC00000 : f32
  %7 = arith.constant -0.0 : f64
  %8 = arith.constant 1.0e-300 : f64
  %9 = arith.constant 0x7C00 : f16
  %10 = arith.constant 0xFF80 : bf16
  %11 = arith.constant dense<1> : vector<4xi32>
  %12 = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
  %13 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf64>
  %14 = arith.constant dense<true> : vector<4xi1>
  %15 = arith.constant 170141183460469231731687303715884105727 : i128
  %16 = arith.constant -9223372036854775808 : i64
  %17 = arith.constant dense<2.0> : vector<[4]xf32>
  %18 = arith.constant 0.1 : f32
  %19 = arith.constant 3.14159265358979312 : f64
  %20 = arith.constant {t.note = "x"} 1 : i32
  return
}
