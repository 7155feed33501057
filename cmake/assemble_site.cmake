# Script: puts the page together in OUTPUT from index.html, everything in web/ but pictures/, and PROGRAM, the files that
# split_lessons.mjs made. Files that no longer belong there are removed. With esbuild the scripts lose their comments and
# long local names.
#   cmake -DSOURCE=<repository> -DPROGRAM=<folder> -DOUTPUT=<site> [-DESBUILD=<program>] -P assemble_site.cmake
file(GLOB_RECURSE web_files RELATIVE ${SOURCE}/web ${SOURCE}/web/*)
list(FILTER web_files EXCLUDE REGEX "^pictures/")  # of README alone

set(wanted index.html ${web_files})
foreach(file_name IN LISTS web_files)
  configure_file(${SOURCE}/web/${file_name} ${OUTPUT}/${file_name} COPYONLY)
endforeach()
configure_file(${SOURCE}/index.html ${OUTPUT}/index.html COPYONLY)
file(GLOB_RECURSE built RELATIVE ${PROGRAM} ${PROGRAM}/*)
foreach(file_name IN LISTS built)
  configure_file(${PROGRAM}/${file_name} ${OUTPUT}/${file_name} COPYONLY)
endforeach()
list(APPEND wanted ${built})

if(ESBUILD)
  set(scripts ${web_files})
  list(FILTER scripts INCLUDE REGEX "\\.js$")
  list(TRANSFORM scripts PREPEND ${SOURCE}/web/)
  execute_process(COMMAND ${ESBUILD} ${scripts} --minify --format=esm --log-level=warning --outbase=${SOURCE}/web
    --outdir=${OUTPUT} --allow-overwrite COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${ESBUILD} ${OUTPUT}/playground.js --minify --format=esm --log-level=warning
    --outdir=${OUTPUT} --allow-overwrite COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB_RECURSE present RELATIVE ${OUTPUT} ${OUTPUT}/*)
list(REMOVE_ITEM present ${wanted})
list(TRANSFORM present PREPEND ${OUTPUT}/)
if(present)
  file(REMOVE ${present})
endif()
