#include "algorithms/isometry/parts.hpp"
namespace ritz::isometry {
Attempt nile_attempt(const WorkingSet&, const Matrix&, double, const Options&, const RunContext&) { return {}; }
Attempt fromax_attempt(const WorkingSet&, const Matrix&, double, const Options&, const RunContext&) { return {}; }
}
