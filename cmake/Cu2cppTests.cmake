# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests of the project as a whole: one-way includes, licence lines, a test for each diagnostic, the package from the build tree and installed, the samples.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

foreach(check layers sources diagnostics)
  add_test(NAME style/${check} COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/check_${check}.py)
  set_tests_properties(style/${check} PROPERTIES LABELS style)
endforeach()
add_test(NAME style/docs COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/gen_docs.py --check)
set_tests_properties(style/docs PROPERTIES LABELS style)

foreach(way build-tree installed drop-in)
  add_test(NAME package/${way}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/test-corpus/package/check_package.py ${way}
            --build-dir ${CMAKE_BINARY_DIR} --cmake ${CMAKE_COMMAND} --work-dir ${CMAKE_BINARY_DIR}/package-test/${way})
  set_tests_properties(package/${way} PROPERTIES LABELS package TIMEOUT 600)
endforeach()

foreach(sample vector_add black_scholes mandelbrot matrix_product nbody reduction histogram jacobi)
  add_test(NAME samples/${sample}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/samples.py --build-dir ${CMAKE_BINARY_DIR} ${sample})
  set_tests_properties(samples/${sample} PROPERTIES LABELS samples TIMEOUT 600)
endforeach()
