# libritz_cuda.so, the sweeps on an NVIDIA card, where the program finds it: lib/ritz beside bin. Target ritz_cuda; part of
# every build with RITZ_CUDA=ON. One call of nvcc on one file: CUDA as a language of CMake would cost every configuration
# seconds, and needs a card's architecture to be asked for.
find_program(RITZ_NVCC nvcc HINTS $ENV{CUDA_PATH}/bin /usr/local/cuda/bin)
set(RITZ_NVCC_VERSION 0)
if(RITZ_NVCC)
  execute_process(COMMAND ${RITZ_NVCC} --version OUTPUT_VARIABLE nvcc_text ERROR_QUIET)
  if(nvcc_text MATCHES "release ([0-9]+\\.[0-9]+)")
    set(RITZ_NVCC_VERSION ${CMAKE_MATCH_1})
  endif()
endif()
if(RITZ_NVCC_VERSION VERSION_LESS 12)
  if(RITZ_CUDA)
    message(FATAL_ERROR "RITZ_CUDA needs nvcc of CUDA 12 or later (C++20); found: ${RITZ_NVCC} ${RITZ_NVCC_VERSION}")
  endif()
  return()
endif()

set(module ${PROJECT_BINARY_DIR}/lib/ritz/libritz_cuda.so)
get_filename_component(cuda_folder ${RITZ_NVCC} REALPATH)
get_filename_component(cuda_folder ${cuda_folder}/../.. ABSOLUTE)
add_custom_command(
  OUTPUT ${module}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/lib/ritz
  # Machine code for Ampere and Hopper; later cards translate what is written for Hopper.
  COMMAND ${RITZ_NVCC} -std=c++20 -O3 --expt-relaxed-constexpr -shared -Xcompiler -fPIC,-fvisibility=hidden -t 0
          -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90]
          -DRITZ_VERSION="${PROJECT_VERSION}" -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
          ${PROJECT_SOURCE_DIR}/src/backends/cuda/module/module.cu -lcublas -lcusolver
          -Xlinker -rpath=$ORIGIN:${cuda_folder}/lib64:/usr/local/cuda/lib64 -o ${module} -MD -MF ${module}.d -MT ${module}
  DEPENDS ${PROJECT_SOURCE_DIR}/src/backends/cuda/module/module.cu
  DEPFILE ${module}.d
  COMMENT "nvcc: libritz_cuda.so"
  VERBATIM)
if(RITZ_CUDA)
  add_custom_target(ritz_cuda ALL DEPENDS ${module})
  install(PROGRAMS ${module} DESTINATION ${CMAKE_INSTALL_LIBDIR}/ritz)
else()
  add_custom_target(ritz_cuda DEPENDS ${module})
endif()
if(RITZ_BUILD_TESTS AND NOT RITZ_SANITIZE)
  add_test(NAME cuda_module COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target ritz_cuda)
endif()
