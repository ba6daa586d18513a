#include <fmt/format.h>
#include <link.h>

#include <boost/version.hpp>
#include <callfence/version.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "commands.hpp"

namespace callfence::cli {
namespace {

struct Search {
  std::string_view library;  // Such as "libre2.so."
  std::string version;
};

/// Takes the version off the file name of a loaded library, "9.0.0" of libre2.so.9.0.0.
int take_version(dl_phdr_info* loaded, std::size_t /*size*/, void* context) {
  auto& search = *static_cast<Search*>(context);
  std::error_code error;
  const std::string name = std::filesystem::canonical(loaded->dlpi_name, error).filename();
  if (error || name.rfind(search.library, 0) != 0) return 0;
  search.version = name.substr(search.library.size());
  return 1;
}

/// The version of a library that this process runs with, or `fallback` where it was linked in.
std::string find_loaded(std::string_view library, std::string fallback) {
  Search search{library, std::move(fallback)};
  dl_iterate_phdr(take_version, &search);
  return search.version;
}

}  // namespace

std::string list_versions() {
  const std::string built_with =
      fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100);
  return fmt::format("callfence {}\ncontract {}\nBoost {}\nRE2 {}", CALLFENCE_VERSION, CALLFENCE_CONTRACT_VERSION,
                     find_loaded("libboost_json.so.", built_with), find_loaded("libre2.so.", "linked in"));
}

}  // namespace callfence::cli
