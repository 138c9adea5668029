#include "pb.h"
enum{NX=1000,NY=1200,T=200}; AL double EX[NX][NY],EY[NX][NY],HZ[NX][NY],FICT[T];
void init(void){ for(int t=0;t<T;t++)FICT[t]=t; for(int i=0;i<NX;i++)for(int j=0;j<NY;j++){EX[i][j]=(double)i*(j+1)/NX;EY[i][j]=(double)i*(j+2)/NY;HZ[i][j]=(double)i*(j+3)/NX;} }
void kernel(void){ for(int t=0;t<T;t++){ for(int j=0;j<NY;j++)EY[0][j]=FICT[t]; for(int i=1;i<NX;i++)for(int j=0;j<NY;j++)EY[i][j]-=0.5*(HZ[i][j]-HZ[i-1][j]); for(int i=0;i<NX;i++)for(int j=1;j<NY;j++)EX[i][j]-=0.5*(HZ[i][j]-HZ[i][j-1]);
 for(int i=0;i<NX-1;i++)for(int j=0;j<NY-1;j++)HZ[i][j]-=0.7*(EX[i][j+1]-EX[i][j]+EY[i+1][j]-EY[i][j]); } }
double check(void){ SUM2(HZ,NX,NY); }
