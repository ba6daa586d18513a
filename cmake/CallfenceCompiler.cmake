# How the project's own code is compiled. Consumers of the package get none of this.

option(CALLFENCE_WERROR "Warnings are errors" OFF)
option(CALLFENCE_HARDENED "Compile with the compiler's run-time defences" OFF)
set(CALLFENCE_SANITIZE "" CACHE STRING "Sanitizers to build with, such as address,undefined")
set(CALLFENCE_SANITIZE_IGNORE "" CACHE FILEPATH "What the sanitizers leave alone (clang's -fsanitize-ignorelist)")

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

add_library(callfence_sanitizers INTERFACE)
if(CALLFENCE_SANITIZE)
  target_compile_options(callfence_sanitizers INTERFACE -fsanitize=${CALLFENCE_SANITIZE} -fno-sanitize-recover=all
                                                        -fno-omit-frame-pointer)
  target_link_options(callfence_sanitizers INTERFACE -fsanitize=${CALLFENCE_SANITIZE})
endif()
if(CALLFENCE_SANITIZE_IGNORE)
  target_compile_options(callfence_sanitizers INTERFACE -fsanitize-ignorelist=${CALLFENCE_SANITIZE_IGNORE})
endif()
target_link_libraries(callfence_compiler INTERFACE callfence_sanitizers)

# The parser and Boost.JSON are instrumented: to guide the search, and to count what they execute. The properties are not,
# so that the search is for new paths through the parser. What is counted calls a function at each edge; fuzz/work.cpp
# has it, under the name that --wrap gives it, since libFuzzer has one of the same name.
set(CALLFENCE_GUIDE "" CACHE STRING "How a fuzz engine instruments the parser, such as -fsanitize=fuzzer-no-link")
# The fuzz preset leaves out the tracing of comparisons, which costs a third of the speed: the mutator and the dictionaries
# know the words that it would have to find.
add_library(callfence_instrumented INTERFACE)
target_compile_options(callfence_instrumented INTERFACE ${CALLFENCE_GUIDE})
if(CALLFENCE_COUNT_EDGES)
  target_compile_options(callfence_instrumented INTERFACE -fsanitize-coverage=trace-pc)
endif()
