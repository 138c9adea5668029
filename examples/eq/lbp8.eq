# lbp with eight neighbours, which the compiler knows: 0 right, 1 left, 2 below, 3 above, and
# along the diagonals 4 below right, 5 below left, 6 above right, 7 above left.
program lbp8(H, B, K, R, T) : H >= 1 and B >= 1 and K >= 1 and R = 8 and T >= 1 {
  input  phi[H, B, K] : f64;
  output best[H, B] : i32;          # the first disparity of the greatest belief
  output b[H, B, K] : f64;
  local  m[T + 1, H, B, R, K], SL[T, H, B, R, K], SR[T, H, B, R, K], h[T, H, B, R, K], mn[T, H, B, R] : f64;
  local  bm[H, B] : f64;
  def send(h: f64, mn: f64) = min(h, mn + 1.5) - mn;
  m[0,y,x,r,k]      = 0.0           : { [y,x,r,k] : 0 <= y < H and 0 <= x < B and 0 <= r < R and 0 <= k < K };
  SL[t,y,x,r,k]    += m[t,y,x,q,k]  : { [t,y,x,r,k,q] : 0 <= t < T and 0 <= y < H and 0 <= x < B and 0 <= k < K and 0 <= q < r < R };
  SR[t,y,x,r,k]    += m[t,y,x,q,k]  : { [t,y,x,r,k,q] : 0 <= t < T and 0 <= y < H and 0 <= x < B and 0 <= k < K and 0 <= r < q < R };
  h[t,y,x,r,k]      = phi[y,x,k] + (SL[t,y,x,r,k] + SR[t,y,x,r,k])
                                    : { [t,y,x,r,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B and 0 <= r < R and 0 <= k < K };
  mn[t,y,x,r]    min= h[t,y,x,r,k]  : { [t,y,x,r,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B and 0 <= r < R and 0 <= k < K };
  # What a pixel sends to its right is what that has from its left, and so on.
  m[t+1,y,x+1,1,k]  = send(h[t,y,x,0,k], mn[t,y,x,0])
                                    : { [t,y,x,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B - 1 and 0 <= k < K };
  m[t+1,y,x-1,0,k]  = send(h[t,y,x,1,k], mn[t,y,x,1])
                                    : { [t,y,x,k] : 0 <= t < T and 0 <= y < H and 1 <= x < B and 0 <= k < K };
  m[t+1,y+1,x,3,k]  = send(h[t,y,x,2,k], mn[t,y,x,2])
                                    : { [t,y,x,k] : 0 <= t < T and 0 <= y < H - 1 and 0 <= x < B and 0 <= k < K };
  m[t+1,y-1,x,2,k]  = send(h[t,y,x,3,k], mn[t,y,x,3])
                                    : { [t,y,x,k] : 0 <= t < T and 1 <= y < H and 0 <= x < B and 0 <= k < K };
  m[t+1,y+1,x+1,7,k] = send(h[t,y,x,4,k], mn[t,y,x,4])
                                    : { [t,y,x,k] : 0 <= t < T and 0 <= y < H - 1 and 0 <= x < B - 1 and 0 <= k < K };
  m[t+1,y+1,x-1,6,k] = send(h[t,y,x,5,k], mn[t,y,x,5])
                                    : { [t,y,x,k] : 0 <= t < T and 0 <= y < H - 1 and 1 <= x < B and 0 <= k < K };
  m[t+1,y-1,x+1,5,k] = send(h[t,y,x,6,k], mn[t,y,x,6])
                                    : { [t,y,x,k] : 0 <= t < T and 1 <= y < H and 0 <= x < B - 1 and 0 <= k < K };
  m[t+1,y-1,x-1,4,k] = send(h[t,y,x,7,k], mn[t,y,x,7])
                                    : { [t,y,x,k] : 0 <= t < T and 1 <= y < H and 1 <= x < B and 0 <= k < K };
  # Nothing comes from outside.
  m[t+1,y,0,1,k]    = 0.0           : { [t,y,k] : 0 <= t < T and 0 <= y < H and 0 <= k < K };
  m[t+1,y,B-1,0,k]  = 0.0           : { [t,y,k] : 0 <= t < T and 0 <= y < H and 0 <= k < K };
  m[t+1,0,x,3,k]    = 0.0           : { [t,x,k] : 0 <= t < T and 0 <= x < B and 0 <= k < K };
  m[t+1,H-1,x,2,k]  = 0.0           : { [t,x,k] : 0 <= t < T and 0 <= x < B and 0 <= k < K };
  m[t+1,y,x,4,k]    = 0.0           : { [t,y,x,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B and (y = H - 1 or x = B - 1) and 0 <= k < K };
  m[t+1,y,x,5,k]    = 0.0           : { [t,y,x,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B and (y = H - 1 or x = 0) and 0 <= k < K };
  m[t+1,y,x,6,k]    = 0.0           : { [t,y,x,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B and (y = 0 or x = B - 1) and 0 <= k < K };
  m[t+1,y,x,7,k]    = 0.0           : { [t,y,x,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B and (y = 0 or x = 0) and 0 <= k < K };
  b[y,x,k]          = phi[y,x,k] + sum{r : 0 <= r < R} m[T,y,x,r,k]
                                    : { [y,x,k] : 0 <= y < H and 0 <= x < B and 0 <= k < K };
  bm[y,x]        min= b[y,x,k]      : { [y,x,k] : 0 <= y < H and 0 <= x < B and 0 <= k < K };
  best[y,x]      min= select(b[y,x,k] == bm[y,x], i32(k), i32(K))
                                    : { [y,x,k] : 0 <= y < H and 0 <= x < B and 0 <= k < K };
}
