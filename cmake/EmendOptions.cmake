# SPDX-License-Identifier: GPL-3.0-or-later
# What every target of the project is compiled with.

find_program(EMEND_CCACHE ccache)
if(EMEND_CCACHE)
    # Without these it never hits on a target with a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${EMEND_CCACHE}")
    add_compile_options(-fpch-preprocess)
endif()
find_program(EMEND_MOLD mold)
if(EMEND_MOLD)
    add_link_options(-fuse-ld=mold)
endif()

add_library(emend_options INTERFACE)
target_compile_options(emend_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    -Wcast-align -Wformat=2 -Wimplicit-fallthrough)
# GCC 12 reports these falsely inside std::string and std::tuple when it optimises.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(emend_options INTERFACE
        $<$<CONFIG:Release>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-restrict>)
endif()
if(EMEND_WERROR)
    target_compile_options(emend_options INTERFACE -Werror)
endif()
target_compile_definitions(emend_options INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_KEYWORDS QT_NO_NARROWING_CONVERSIONS_IN_CONNECT
    QT_NO_FOREACH JSON_USE_IMPLICIT_CONVERSIONS=0)
target_include_directories(emend_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}")

if(EMEND_SANITIZE)
    add_compile_options(-fsanitize=${EMEND_SANITIZE} -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${EMEND_SANITIZE})
endif()
