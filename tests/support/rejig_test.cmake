# rejig_unit_test(NAME [THREADS] SOURCES a.cc… LIBS rejig_x…): one GoogleTest binary; each of its cases is a test of ctest,
# NAME.Suite.Case, with a time limit of its own. THREADS: worth a look by ThreadSanitizer. `unit_tests` builds all of them.
find_package(GTest REQUIRED)
include(GoogleTest)
if(NOT TARGET unit_tests)
  add_custom_target(unit_tests)
endif()

function(rejig_unit_test name)
  cmake_parse_arguments(ARG "THREADS" "" "SOURCES;LIBS;ARGS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  # A quarter of the time to compile them; what they test is optimised as ever.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gmock
                                        GTest::gtest_main Threads::Threads)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  set(labels unit)
  if(ARG_THREADS)
    list(APPEND labels threads)
  endif()
  # A list of labels would be taken apart on its way to ctest.
  string(REPLACE ";" "\\;" labels "${labels}")
  gtest_discover_tests(${name} TEST_PREFIX ${name}. EXTRA_ARGS ${ARG_ARGS} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
                       PROPERTIES LABELS "${labels}" TIMEOUT 600)
  add_dependencies(unit_tests ${name})
endfunction()
