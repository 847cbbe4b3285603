/**
 * Lists the globs that name no file. Code that was moved or renamed would otherwise leave its area unnoticed.
 *
 * @param {readonly import('./areas.mjs').Area[]} areas
 * @param {readonly string[]} paths the files of the repository, with forward slashes
 * @returns {string[]} a sentence for each of them
 */
export function findUnmatchedGlobs(areas, paths) {
  return areas.flatMap(({ name, mutate, tests }) =>
    [...mutate, ...tests]
      .filter((glob) => !glob.startsWith('!') && !paths.some((path) => toPattern(glob).test(path)))
      .map((glob) => `The glob ${glob} of the area ${name} matches no file.`),
  )
}

/**
 * Lists the paths that a glob matches and no glob with a leading `!` excludes, in alphabetical order.
 *
 * @param {readonly string[]} globs
 * @param {readonly string[]} paths
 */
export function matchGlobs(globs, paths) {
  const [excluded, included] = [true, false].map((isExcluded) =>
    globs.filter((glob) => glob.startsWith('!') === isExcluded).map((glob) => toPattern(glob.replace(/^!/, ''))),
  )
  const matches = (/** @type {RegExp[] | undefined} */ patterns, /** @type {string} */ path) =>
    patterns?.some((pattern) => pattern.test(path)) === true
  return paths.filter((path) => matches(included, path) && !matches(excluded, path)).toSorted()
}

/** @param {string} glob with `*` and `**` only */
function toPattern(glob) {
  const parts = glob.split('**/').map((part) => part.split('*').map(escapePattern).join('[^/]*'))
  return new RegExp(`^${parts.join('(?:.*/)?')}$`)
}

/** @param {string} text */
function escapePattern(text) {
  return text.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
}
