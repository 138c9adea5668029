# Loopy belief propagation for stereo vision: T rounds of min-sum messages between the pixels
# of an image of H rows and B columns, each of K disparities. m[t,y,x,r,k] is the message that
# pixel (y,x) has from its neighbour r: 0 right, 1 left, 2 below, 3 above. R is how many messages
# there are; those beyond the four are empty.
program lbp(H, B, K, R, T) : H >= 1 and B >= 1 and K >= 1 and R >= 4 and T >= 1 {
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
  # Nothing comes from outside.
  m[t+1,y,0,1,k]    = 0.0           : { [t,y,k] : 0 <= t < T and 0 <= y < H and 0 <= k < K };
  m[t+1,y,B-1,0,k]  = 0.0           : { [t,y,k] : 0 <= t < T and 0 <= y < H and 0 <= k < K };
  m[t+1,0,x,3,k]    = 0.0           : { [t,x,k] : 0 <= t < T and 0 <= x < B and 0 <= k < K };
  m[t+1,H-1,x,2,k]  = 0.0           : { [t,x,k] : 0 <= t < T and 0 <= x < B and 0 <= k < K };
  m[t+1,y,x,r,k]    = 0.0           : { [t,y,x,r,k] : 0 <= t < T and 0 <= y < H and 0 <= x < B and 4 <= r < R and 0 <= k < K };
  b[y,x,k]          = phi[y,x,k] + sum{r : 0 <= r < R} m[T,y,x,r,k]
                                    : { [y,x,k] : 0 <= y < H and 0 <= x < B and 0 <= k < K };
  bm[y,x]        min= b[y,x,k]      : { [y,x,k] : 0 <= y < H and 0 <= x < B and 0 <= k < K };
  best[y,x]      min= select(b[y,x,k] == bm[y,x], i32(k), i32(K))
                                    : { [y,x,k] : 0 <= y < H and 0 <= x < B and 0 <= k < K };
}
