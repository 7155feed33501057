# Script: puts the page together in OUTPUT from index.html, everything in web/ but pictures/, and what was linked (MODULE, its .wasm).
# Files that no longer belong there are removed, unchanged ones keep their time.
#   cmake -DSOURCE=<repository> -DMODULE=<built .js> -DOUTPUT=<site> -P assemble_site.cmake
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

file(GLOB_RECURSE present RELATIVE ${OUTPUT} ${OUTPUT}/*)
list(REMOVE_ITEM present ${wanted})
list(TRANSFORM present PREPEND ${OUTPUT}/)
if(present)
  file(REMOVE ${present})
endif()
