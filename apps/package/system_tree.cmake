# What a package of a system has and a tarball has not: private folders for what no other program links or imports (rejig looks
# there, too), compressed manual pages, Debian's own changelog. CPack runs it on each tree before it is packed.
set(tree ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(docs ${tree}/share/doc/rejig)
file(MAKE_DIRECTORY ${tree}/lib/rejig)
file(RENAME ${tree}/lib/librejig-agent.so ${tree}/lib/rejig/librejig-agent.so)
file(RENAME ${tree}/share/java ${tree}/share/rejig/java)
file(RENAME ${docs}/CHANGELOG.md ${docs}/changelog)
set(texts ${docs}/changelog)
if(CPACK_GENERATOR STREQUAL DEB)
  string(TIMESTAMP day "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH
  file(WRITE ${docs}/changelog.Debian "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; changelog.gz says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${day}
")
  list(APPEND texts ${docs}/changelog.Debian)
  file(REMOVE ${docs}/LICENSE)  # every Debian system has it
  file(MAKE_DIRECTORY ${tree}/share/lintian/overrides)
  file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${tree}/share/lintian/overrides/${CPACK_PACKAGE_NAME})
else()
  file(REMOVE ${docs}/copyright)
endif()
file(GLOB_RECURSE pages ${tree}/share/man/*)
execute_process(COMMAND gzip -9 -n ${pages} ${texts} COMMAND_ERROR_IS_FATAL ANY)
# Modes do not come from whoever packs.
execute_process(COMMAND chmod -R u=rwX,go=rX ${CPACK_TEMPORARY_INSTALL_DIRECTORY} COMMAND_ERROR_IS_FATAL ANY)
