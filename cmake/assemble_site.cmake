# Script: puts the page together in OUTPUT from index.html, web/ and PROGRAM, the files that split_lessons.mjs made. Files
# that no longer belong there are removed. With esbuild the element's modules become one file without comments and long
# local names; without it they are copied as they are.
#   cmake -DSOURCE=<repository> -DPROGRAM=<folder> -DOUTPUT=<site> [-DESBUILD=<program>] -P assemble_site.cmake
file(GLOB modules RELATIVE ${SOURCE}/web ${SOURCE}/web/*.js ${SOURCE}/web/*.d.ts ${SOURCE}/web/package.json)
if(ESBUILD)
  set(modules attention-playground.js attention-playground.d.ts package.json)
endif()
file(GLOB_RECURSE built RELATIVE ${PROGRAM} ${PROGRAM}/*)
file(GLOB models RELATIVE ${SOURCE} ${SOURCE}/models/*.safetensors)
set(wanted index.html ${modules} ${built} ${models})

foreach(file_name IN LISTS modules)
  configure_file(${SOURCE}/web/${file_name} ${OUTPUT}/${file_name} COPYONLY)
endforeach()
foreach(file_name IN ITEMS index.html LISTS models)
  configure_file(${SOURCE}/${file_name} ${OUTPUT}/${file_name} COPYONLY)
endforeach()
foreach(file_name IN LISTS built)
  configure_file(${PROGRAM}/${file_name} ${OUTPUT}/${file_name} COPYONLY)
endforeach()

if(ESBUILD)
  execute_process(COMMAND ${ESBUILD} ${SOURCE}/web/attention-playground.js --bundle --minify --format=esm
    --log-level=warning --outdir=${OUTPUT} --allow-overwrite COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${ESBUILD} ${OUTPUT}/playground.js ${OUTPUT}/lesson_files.js --minify --format=esm
    --log-level=warning --outdir=${OUTPUT} --allow-overwrite COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB_RECURSE present RELATIVE ${OUTPUT} ${OUTPUT}/*)
list(REMOVE_ITEM present ${wanted})
list(TRANSFORM present PREPEND ${OUTPUT}/)
if(present)
  file(REMOVE ${present})
endif()
