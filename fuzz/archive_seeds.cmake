# Makes ARCHIVE of SOURCE/corpus/SEEDS and of the replies of all regression cases, each under its case's name.

set(stage ${ARCHIVE}.files)
file(REMOVE_RECURSE ${stage})
file(GLOB seeds ${SOURCE}/corpus/${SEEDS}/*)
file(COPY ${seeds} DESTINATION ${stage})
file(GLOB cases RELATIVE ${SOURCE}/regression ${SOURCE}/regression/*/reply.txt)
foreach(case IN LISTS cases)
  cmake_path(GET case PARENT_PATH name)
  file(COPY_FILE ${SOURCE}/regression/${case} ${stage}/${name})
endforeach()
file(GLOB files RELATIVE ${stage} ${stage}/*)
file(REMOVE ${ARCHIVE})
execute_process(COMMAND ${CMAKE_COMMAND} -E tar cf ${ARCHIVE} --format=zip -- ${files} WORKING_DIRECTORY ${stage}
                COMMAND_ERROR_IS_FATAL ANY)
