/**
 * A part of the custody code with the tests that must detect a change of it.
 *
 * @typedef {object} Area
 * @property {string} name
 * @property {readonly string[]} mutate globs of the mutated files
 * @property {readonly string[]} tests globs of the tests that run against each mutant
 */

const frame = 'apps/frame/src'
const auth = 'server/src/auth'
const shares = 'server/src/shares'
const custody = 'server/src/custody'

/** @param {string} folder */
const sourcesOf = (folder) => [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/**/*.faults.ts`]

/** @param {string} folder */
const testsOf = (folder) => [`${folder}/**/*.test.ts`]

/**
 * The areas of `npm run mutation`, fast ones first.
 *
 * @type {readonly Area[]}
 */
export const areas = [
  { name: 'custody', mutate: sourcesOf(`${frame}/custody`), tests: testsOf(`${frame}/custody`) },
  {
    name: 'channel',
    mutate: ['hostPage', 'isAllowedOrigin', 'dispatcher', 'parseTheme', 'visitor'].map(
      (name) => `${frame}/page/${name}.ts`,
    ),
    tests: testsOf(`${frame}/page`),
  },
  { name: 'messages', mutate: sourcesOf('packages/protocol/src/frame'), tests: testsOf('packages/protocol/src/frame') },
  { name: 'wallet', mutate: sourcesOf(`${frame}/wallet`), tests: testsOf(`${frame}/wallet`) },
  { name: 'worker', mutate: sourcesOf(`${frame}/worker`), tests: testsOf(`${frame}/worker`) },
  {
    name: 'requests',
    mutate: sourcesOf(`${custody}/requests`),
    tests: [...testsOf(`${custody}/requests`), `${auth}/sessions/*.test.ts`],
  },
  { name: 'login', mutate: sourcesOf(`${auth}/login`), tests: [...testsOf(`${auth}/login`), `${auth}/*.test.ts`] },
  {
    name: 'sessions',
    mutate: sourcesOf(`${auth}/sessions`),
    tests: [...testsOf(`${auth}/sessions`), `${auth}/mountAuth.test.ts`],
  },
  { name: 'account', mutate: sourcesOf(`${auth}/account`), tests: testsOf(`${auth}/account`) },
  { name: 'keyShares', mutate: sourcesOf(`${auth}/keyShares`), tests: testsOf(`${auth}/keyShares`) },
  { name: 'social', mutate: sourcesOf(`${auth}/social`), tests: testsOf(`${auth}/social`) },
  { name: 'approval', mutate: sourcesOf(`${shares}/approval`), tests: testsOf(`${shares}/approval`) },
  { name: 'shares', mutate: [...sourcesOf(shares), `!${shares}/approval/**`], tests: testsOf(shares) },
  { name: 'services', mutate: sourcesOf(custody), tests: [...testsOf(custody), ...testsOf(auth)] },
]
