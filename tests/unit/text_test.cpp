#include "text.hpp"

#include <gtest/gtest.h>

#include <array>

#include "support.hpp"

namespace callfence {
namespace {

/// A code point in UTF-8, surrogates included.
std::string encode(unsigned code) {
  const auto byte = [](unsigned value) { return static_cast<char>(value); };
  const auto tail = [&](unsigned shift) { return byte(0x80U | (code >> shift & 0x3FU)); };
  if (code < 0x80) return {byte(code)};
  if (code < 0x800) return {byte(0xC0U | code >> 6U), tail(0)};
  if (code < 0x10000) return {byte(0xE0U | code >> 12U), tail(6), tail(0)};
  return {byte(0xF0U | code >> 18U), tail(12), tail(6), tail(0)};
}

constexpr std::array<unsigned, 29> white_space{0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x1C,   0x1D,   0x1E,
                                               0x1F,   0x20,   0x85,   0xA0,   0x1680, 0x2000, 0x2001, 0x2002,
                                               0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A,
                                               0x2028, 0x2029, 0x202F, 0x205F, 0x3000};

TEST(Marks, T2_WhiteSpaceIsThese29CodePointsOfAllAndNoOther) {
  std::size_t found = 0;
  for (unsigned code = 0; code < 0x110000; ++code) {
    const bool expected = std::find(white_space.begin(), white_space.end(), code) != white_space.end();
    ASSERT_EQ(is_white_space(encode(code)), expected) << "U+" << std::hex << code;
    found += expected ? 1U : 0U;
  }
  EXPECT_EQ(found, 29U);
}

TEST(Marks, T2_LoseWhiteSpaceOfEachKindOnBothSides) {
  for (const unsigned code : white_space) {
    const std::string space = encode(code);
    EXPECT_EQ(mark_of(space + "a" + space + "b" + space + space), "a" + space + "b") << std::hex << code;
  }
  EXPECT_EQ(mark_of(" \t\xE3\x80\x80"), "");
  EXPECT_EQ(mark_of(""), "");
}

TEST(Marks, T2_KeepLookAlikesAndStrayBytes) {
  for (const char* kept :
       {"\xE2\x80\x8B", "\xEF\xBB\xBF", "\xE1\xA0\x8E", "\x85", "\xA0", "\xC2", "\xE2\x80", "\xE3\x80", "\x80\x80",
        "\xC1\xA0", "\xE0\x82\xA0", "\xE2\x80\x8C", "\xE2\x81\xA0", "\x1B", "\x7F"}) {
    EXPECT_EQ(mark_of(kept), kept);
    EXPECT_EQ(mark_of(std::string(" ") + kept + " "), kept);
  }
}

TEST(Characters, WellFormedSequencesOnlyAreTakenWhole) {
  for (unsigned code = 0; code < 0x110000; ++code) {
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    ASSERT_EQ(sequence_length(encode(code), 0), surrogate ? 0 : encode(code).size()) << std::hex << code;
  }
  for (const char* bad :
       {"\x80", "\xC0\xAF", "\xC1\xBF", "\xC2", "\xE0\x9F\xBF", "\xE2\x82", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x28\xA1", "\xF0\x9F\x98"}) {
    EXPECT_EQ(sequence_length(bad, 0), 0U);
    EXPECT_EQ(count_characters(bad), std::string_view(bad).size()) << "each byte counts as one";
  }
}

TEST(Characters, ControlsAndStrayBytesAreMadeVisibleAndNothingElseChanges) {
  EXPECT_EQ(make_visible(std::string_view("a\0\n\x1F\x7F\\\"", 7)), "a\\u0000\\u000A\\u001F\\u007F\\\"");
  EXPECT_EQ(make_visible("\xC2\x80\xC2\x85\xC2\x9F\xC2\xA0"), "\\u0080\\u0085\\u009F\xC2\xA0");
  EXPECT_EQ(make_visible("\xFF\xE2\x82\xE6\x97\xA5"), "\\xFF\\xE2\\x82\xE6\x97\xA5");
}

}  // namespace
}  // namespace callfence
