#pragma once

// The one place that holds the version: the build reads it from here.
#define CALLFENCE_VERSION "0.1.0"
/// The version of the contract (SPEC.md) that this parser keeps.
#define CALLFENCE_CONTRACT_VERSION "1.0"
/// Marks what the shared library exports; all else stays hidden.
#define CALLFENCE_EXPORT __attribute__((visibility("default")))
