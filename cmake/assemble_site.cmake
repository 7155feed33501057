# Script: puts the page together in OUTPUT from index.html, everything in web/ but pictures/, and what was linked (MODULE, its .wasm).
# Files that no longer belong there are removed. With esbuild the scripts lose their comments and long local names.
#   cmake -DSOURCE=<repository> -DMODULE=<built .js> -DOUTPUT=<site> [-DESBUILD=<program>] -P assemble_site.cmake
file(GLOB_RECURSE web_files RELATIVE ${SOURCE}/web ${SOURCE}/web/*)
list(FILTER web_files EXCLUDE REGEX "^pictures/")  # of README alone
string(REGEX REPLACE "\\.js$" ".wasm" wasm ${MODULE})

set(wanted index.html ${web_files})
foreach(file_name IN LISTS web_files)
  configure_file(${SOURCE}/web/${file_name} ${OUTPUT}/${file_name} COPYONLY)
endforeach()
configure_file(${SOURCE}/index.html ${OUTPUT}/index.html COPYONLY)
foreach(built ${MODULE} ${wasm})
  get_filename_component(file_name ${built} NAME)
  configure_file(${built} ${OUTPUT}/${file_name} COPYONLY)
  list(APPEND wanted ${file_name})
endforeach()


if(ESBUILD)
  set(scripts ${web_files})
  list(FILTER scripts INCLUDE REGEX "\\.js$")
  list(TRANSFORM scripts PREPEND ${SOURCE}/web/)
  execute_process(COMMAND ${ESBUILD} ${scripts} --minify --format=esm --log-level=warning --outbase=${SOURCE}/web
    --outdir=${OUTPUT} --allow-overwrite COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${ESBUILD} ${MODULE} --minify --format=esm --log-level=warning --outdir=${OUTPUT} --allow-overwrite
    COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB_RECURSE present RELATIVE ${OUTPUT} ${OUTPUT}/*)
list(REMOVE_ITEM present ${wanted})
list(TRANSFORM present PREPEND ${OUTPUT}/)
if(present)
  file(REMOVE ${present})
endif()
