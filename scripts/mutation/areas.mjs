/**
 * A part of the code with the tests that must detect a change of it.
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
const protocol = 'packages/protocol/src'
const walletConnect = 'packages/walletconnect/src'
const relay = 'server/src/relay'
const kit = 'server/src/kit'

/** The limits that need no server. */
const ownLimits = [
  'assertWithinLimit',
  'circuitBreaker',
  'concurrencyLimiter',
  'eventLoopMonitor',
  'localFirstLimiter',
  'rateLimiters',
  'tokenBucket',
]

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
    mutate: ['hostPage', 'isAllowedOrigin', 'dispatcher', 'parseTheme', 'pageSession', 'consents'].map(
      (name) => `${frame}/page/${name}.ts`,
    ),
    tests: testsOf(`${frame}/page`),
  },
  { name: 'messages', mutate: sourcesOf(`${protocol}/frame`), tests: testsOf(`${protocol}/frame`) },
  { name: 'identifiers', mutate: sourcesOf(`${protocol}/caip`), tests: testsOf(`${protocol}/caip`) },
  { name: 'signInMessage', mutate: [`${protocol}/signInMessage.ts`], tests: [`${protocol}/signInMessage.test.ts`] },
  {
    name: 'parsing',
    mutate: [
      ...['paymentUri', 'getField', 'classifyMethod'].map((name) => `${protocol}/${name}.ts`),
      ...['findPairingUri', 'namespaceScopes', 'sessionNamespaces'].map(
        (name) => `${walletConnect}/session/${name}.ts`,
      ),
    ],
    tests: [
      ...['paymentUri', 'getField', 'classifyMethod'].map((name) => `${protocol}/${name}.test.ts`),
      ...['findPairingUri', 'namespaceScopes', 'sessionNamespaces'].map(
        (name) => `${walletConnect}/session/${name}.test.ts`,
      ),
    ],
  },
  { name: 'envelopes', mutate: sourcesOf(`${walletConnect}/crypto`), tests: testsOf(`${walletConnect}/crypto`) },
  {
    name: 'inbox',
    mutate: [
      ...['inbox', 'completedRequests', 'requestExpiry', 'walletResponse'].map(
        (name) => `${walletConnect}/wallet/${name}.ts`,
      ),
      ...['seenIds', 'storedList'].map((name) => `${walletConnect}/primitives/${name}.ts`),
    ],
    tests: [
      ...['inbox', 'completedRequests', 'requestExpiry'].map((name) => `${walletConnect}/wallet/${name}.test.ts`),
      `${walletConnect}/primitives/*.test.ts`,
    ],
  },
  {
    name: 'limits',
    mutate: [
      ...['admitMessages', 'clientQuotas'].map((name) => `${relay}/limits/${name}.ts`),
      ...ownLimits.map((name) => `${kit}/limits/${name}.ts`),
    ],
    tests: [
      ...['admitMessages', 'clientQuotas'].map((name) => `${relay}/limits/${name}.test.ts`),
      ...ownLimits.map((name) => `${kit}/limits/${name}.test.ts`),
    ],
  },
  {
    name: 'sharedLimits',
    mutate: [
      ...['storageCeilings', 'postgresStoredBytes'].map((name) => `${relay}/limits/${name}.ts`),
      ...['redisConcurrency', 'redisRateLimiters'].map((name) => `${kit}/limits/${name}.ts`),
    ],
    tests: [`${relay}/limits/storageCeilings.test.ts`, `${kit}/limits/redis*.test.ts`],
  },
  {
    name: 'store',
    mutate: [`${relay}/mailbox/*.ts`, `!${relay}/mailbox/*.test.ts`],
    // Not the tests of how many rows are read: they fill a mailbox with 400,000 messages.
    tests: [
      'postgresMailbox',
      'readUsage',
      'acknowledgements',
      'uncountedMessages',
      'undeliveredReads',
      'createMessageCounter',
    ].map((name) => `${relay}/mailbox/${name}.test.ts`),
  },
  { name: 'wallet', mutate: sourcesOf(`${frame}/wallet`), tests: testsOf(`${frame}/wallet`) },
  { name: 'worker', mutate: sourcesOf(`${frame}/worker`), tests: testsOf(`${frame}/worker`) },
  { name: 'requests', mutate: sourcesOf(`${custody}/requests`), tests: testsOf(`${custody}/requests`) },
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
