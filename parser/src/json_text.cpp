#include "json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace callfence {

static constexpr std::size_t npos = std::string_view::npos;

template <typename Number>
static bool read(std::string_view text, Number& number) noexcept {
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

static std::string_view mantissa_of(std::string_view number) noexcept {
  return number.substr(0, number.find_first_of("eE"));
}

/// The digits of the exponent, without leading zeros.
static std::string_view exponent_of(std::string_view number) noexcept {
  number.remove_prefix(mantissa_of(number).size());
  return number.substr(std::min(number.find_first_not_of("eE+-0"), number.size()));
}

std::size_t skip_space(std::string_view text, std::size_t at) noexcept {
  return std::min(text.find_first_not_of(" \t\n\r", at), text.size());
}

std::size_t token_end(std::string_view text, std::size_t at) noexcept {
  constexpr std::string_view marks = "{}[]:,";
  if (marks.find(text[at]) != npos) return at + 1;
  if (text[at] != '"') return std::min(text.find_first_of(" \t\n\r,:]}", at + 1), text.size());
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;  // Over what it escapes.
  }
  return std::min(at + 1, text.size());
}

bool exponent_fits(std::string_view number) noexcept {
  constexpr std::size_t most = 9;  // Digits.
  return number.size() < most + 3 || exponent_of(number).size() <= most;
}

double nearest_double(std::string_view number) noexcept {
  double value = 0;
  if (read(number, value)) return value;
  // Beyond the largest or below the smallest: the place of its first digit other than zero tells which.
  const std::string_view mantissa = mantissa_of(number);
  const auto first = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  std::int64_t exponent = 0;
  read(exponent_of(number), exponent);
  if (number.find('-', mantissa.size()) != npos) exponent = -exponent;
  const double size = point - first + exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return number.front() == '-' ? -size : size;
}

bool is_inexact(std::string_view number) noexcept {
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  if (number.find_first_of(".eE") == npos) return !read(number, integer) && !read(number, natural);
  const std::string_view mantissa = mantissa_of(number);
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == npos) return false;  // A zero.
  const std::string_view digits = mantissa.substr(first, mantissa.find_last_of("123456789") - first + 1);
  const double value = nearest_double(number);
  return std::isinf(value) || value == 0.0 || digits.size() > (digits.find('.') == npos ? 17 : 18);
}

}  // namespace callfence
