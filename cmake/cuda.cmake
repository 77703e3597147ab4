# libritz_cuda.so, the sweeps on an NVIDIA card, where the program finds it: lib/ritz beside bin. Target ritz_cuda; part of
# every build with RITZ_CUDA=ON. Calls of nvcc: CUDA as a language of CMake would cost every configuration seconds, and needs
# a card's architecture to be asked for.
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

if(RITZ_PACKAGE) # where it can be built there is a package of it
  set(RITZ_CUDA ON)
endif()

set(module ${PROJECT_BINARY_DIR}/lib/ritz/libritz_cuda.so)
get_filename_component(cuda_folder ${RITZ_NVCC} REALPATH)
get_filename_component(cuda_folder ${cuda_folder}/../.. ABSOLUTE)
# Machine code for Ampere and Hopper; later cards translate what is written for Hopper.
set(cuda_targets -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90])
set(cuda_objects "")
file(GLOB cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backends/cuda/module/*.cu)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lib/ritz ${PROJECT_BINARY_DIR}/cuda)
foreach(source IN LISTS cuda_sources)
  get_filename_component(name ${source} NAME_WE)
  set(object ${PROJECT_BINARY_DIR}/cuda/${name}.o)
  add_custom_command(
    OUTPUT ${object}
    COMMAND ${RITZ_NVCC} -std=c++20 -O3 --expt-relaxed-constexpr -Xcompiler -fPIC,-fvisibility=hidden ${cuda_targets}
            -DRITZ_VERSION="${PROJECT_VERSION}" -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
            -c ${source} -o ${object} -MD -MF ${object}.d -MT ${object}
    DEPENDS ${source}
    DEPFILE ${object}.d
    COMMENT "nvcc: ${name}.cu"
    VERBATIM)
  list(APPEND cuda_objects ${object})
endforeach()
# A package is stripped, and leaves it to the system where CUDA's libraries are.
set(cuda_link -Xlinker -rpath=$ORIGIN:${cuda_folder}/lib64:/usr/local/cuda/lib64)
if(RITZ_PACKAGE)
  set(cuda_link -Xlinker -s,-z,relro,-z,now)
endif()
add_custom_command(
  OUTPUT ${module}
  COMMAND ${RITZ_NVCC} -shared ${cuda_targets} ${cuda_objects} -lcublas -lcusolver
          ${cuda_link} -o ${module}
  DEPENDS ${cuda_objects}
  COMMENT "nvcc: libritz_cuda.so"
  VERBATIM)
if(RITZ_CUDA)
  add_custom_target(ritz_cuda ALL DEPENDS ${module})
  set(RITZ_CUDA_MODULE ${module}) # for install.cmake
else()
  add_custom_target(ritz_cuda DEPENDS ${module})
endif()
if(RITZ_BUILD_TESTS AND NOT RITZ_SANITIZE)
  add_test(NAME cuda_module COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target ritz_cuda)
endif()
