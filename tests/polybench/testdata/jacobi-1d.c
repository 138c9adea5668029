#include "pb.h"
enum{N=2000000,T=200}; AL double A[N],B[N];
void init(void){ for(int i=0;i<N;i++){A[i]=(i+2.0)/N;B[i]=(i+3.0)/N;} }
void kernel(void){ for(int t=0;t<T;t++){ for(int i=1;i<N-1;i++)B[i]=0.33333*(A[i-1]+A[i]+A[i+1]); for(int i=1;i<N-1;i++)A[i]=0.33333*(B[i-1]+B[i]+B[i+1]); } }
double check(void){ SUM1(A,N); }
