// Boost.JSON from its own sources, so that the fuzz build instruments its code.
#include <boost/json/src.hpp>
