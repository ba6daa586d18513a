# How the project's own code is compiled. Consumers of the package get none of this.

option(CALLFENCE_WERROR "Warnings are errors" OFF)
option(CALLFENCE_HARDENED "Compile with the compiler's run-time defences" OFF)
set(CALLFENCE_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined")

add_library(callfence_compiler INTERFACE)
target_compile_features(callfence_compiler INTERFACE cxx_std_20)
target_compile_options(
  callfence_compiler
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wconversion
            -Wsign-conversion
            -Wshadow
            -Wold-style-cast
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wcast-align
            -Wdouble-promotion
            -Wformat=2
            -Wimplicit-fallthrough
            $<$<BOOL:${CALLFENCE_WERROR}>:-Werror>)
if(CALLFENCE_HARDENED)
  target_compile_options(callfence_compiler INTERFACE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS -fstack-protector-strong
                                                      -fstack-clash-protection -fcf-protection)
  target_link_options(callfence_compiler INTERFACE LINKER:-z,relro,-z,now,-z,noexecstack)
endif()
# A fuzz build adds fuzzer-no-link to the sanitizers; programs of clang know it and instrument what is compiled.
add_library(callfence_sanitizers INTERFACE)
if(CALLFENCE_SANITIZE)
  target_compile_options(callfence_sanitizers INTERFACE -fsanitize=${CALLFENCE_SANITIZE} -fno-sanitize-recover=all
                                                        -fno-omit-frame-pointer)
  target_link_options(callfence_sanitizers INTERFACE -fsanitize=${CALLFENCE_SANITIZE})
endif()
target_link_libraries(callfence_compiler INTERFACE callfence_sanitizers)

# What is counted calls a function at each edge; fuzz/work.cpp has it, under the name that --wrap gives it, since
# libFuzzer has one of the same name.
add_library(callfence_counted INTERFACE)
if(CALLFENCE_COUNT_EDGES)
  target_compile_options(callfence_counted INTERFACE -fsanitize-coverage=trace-pc)
endif()
