// The source of the first kernels of kernels.ptx:
// clang-19 -x cuda --cuda-gpu-arch=sm_80 -nocudainc -nocudalib --cuda-device-only -S -O3 kernels.cu
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define T(x) __nvvm_read_ptx_sreg_tid_##x()
#define B(x) __nvvm_read_ptx_sreg_ctaid_##x()
#define D(x) __nvvm_read_ptx_sreg_ntid_##x()
#define G(x) __nvvm_read_ptx_sreg_nctaid_##x()
extern "C" __global__ void saxpy(float a, const float*x, float*y, long n){ long i=(long)B(x)*D(x)+T(x); if(i<n) y[i]=a*x[i]+y[i]; }
extern "C" __global__ void reduce(const double*x,double*out,long n){ __shared__ double s[256]; long t=T(x); double v=0; for(long i=(long)B(x)*D(x)+t;i<n;i+=(long)D(x)*G(x)) v+=x[i]; s[t]=v; __nvvm_bar_sync(0); for(long k=D(x)/2;k>0;k/=2){ if(t<k) s[t]+=s[t+k]; __nvvm_bar_sync(0); } if(t==0) out[B(x)]=s[0]; }
extern "C" __global__ void matmul(const float*a,const float*b,float*c,long n){ __shared__ float As[16][16],Bs[16][16]; long tx=T(x),ty=T(y); long r=(long)B(y)*16+ty,col=(long)B(x)*16+tx; float acc=0; for(long t=0;t<n;t+=16){ As[ty][tx]=(r<n&&t+tx<n)?a[r*n+t+tx]:0; Bs[ty][tx]=(col<n&&t+ty<n)?b[(t+ty)*n+col]:0; __nvvm_bar_sync(0); for(int k=0;k<16;k++) acc+=As[ty][k]*Bs[k][tx]; __nvvm_bar_sync(0); } if(r<n&&col<n) c[r*n+col]=acc; }
extern "C" __global__ void mix(char a, short b, int c, long d, float e, double f, char*out){ out[0]=a; *(short*)(out+2)=b; *(int*)(out+4)=c; *(long*)(out+8)=d; *(float*)(out+16)=e; *(double*)(out+24)=f; __nvvm_atom_add_gen_i((int*)(out+32), c); out[40]= d/ (c|1) ; out[41]= a<b? b: c; ((unsigned*)out)[11]=(unsigned)e; ((double*)out)[6]= f*e; ((int*)out)[14]=__builtin_popcount(c)+__builtin_clz(c|1); }
