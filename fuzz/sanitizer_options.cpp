// Options of AddressSanitizer for the targets: an input allocates little, so that a small quarantine still holds all
// that was freed by many inputs, and memory stays in the processor's caches. ASAN_OPTIONS overrides them.

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name that the sanitizer looks for
extern "C" const char* __asan_default_options();
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" const char* __asan_default_options() {
  return "quarantine_size_mb=1:thread_local_quarantine_size_kb=64:max_malloc_fill_size=0:malloc_context_size=12";
}
