// How many colours ColPack takes, for colpack.txt: of the columns of a pattern, and of a star colouring if it is symmetric.
// It has the least of ten runs in each of three orders. It reads patterns: name, rows, columns, whether it is symmetric, and for each row the number of its entries and their columns.
// Build with: g++ -O1 colpack.cpp -lColPack
#include <ColPack/ColPackHeaders.h>

using namespace ColPack;

// distinct is how many colours there are.
static int distinct(vector<int> colours) { return set<int>(colours.begin(), colours.end()).size(); }

int main() {
  string name;
  int rows, columns, symmetric;
  const char *orders[] = {"NATURAL", "LARGEST_FIRST", "SMALLEST_LAST"};
  while (cin >> name >> rows >> columns >> symmetric) {
    vector<vector<unsigned>> pattern(rows);
    vector<vector<unsigned>> edges(rows); // without the diagonal
    vector<unsigned *> of(rows), graph(rows);
    for (int i = 0; i < rows; i++) {
      unsigned n;
      cin >> n;
      pattern[i].resize(n + 1);
      pattern[i][0] = n;
      edges[i].push_back(0);
      for (unsigned k = 1; k <= n; k++) {
        cin >> pattern[i][k];
        if (pattern[i][k] != (unsigned)i) edges[i].push_back(pattern[i][k]), edges[i][0]++;
      }
      of[i] = pattern[i].data(), graph[i] = edges[i].data();
    }
    int best = 1 << 30, star = symmetric ? 1 << 30 : 0;
    for (int k = 0; k < 30; k++) { // equal degrees are put in some order
      const char *order = orders[k % 3];
      BipartiteGraphPartialColoringInterface b(SRC_MEM_ADOLC, of.data(), rows, columns);
      b.PartialDistanceTwoColoring(order, "COLUMN_PARTIAL_DISTANCE_TWO");
      vector<int> of_columns;
      b.GetRightVertexColors(of_columns);
      best = min(best, distinct(of_columns));
      if (symmetric) {
        GraphColoringInterface g(SRC_MEM_ADOLC, graph.data(), rows);
        g.Coloring(order, "STAR");
        vector<int> of_vertices;
        g.GetVertexColors(of_vertices);
        star = min(star, distinct(of_vertices));
      }
    }
    cout << name << " " << best << " " << star << endl;
  }
}
