/**
 * A removed or weakened security check that a test must detect.
 *
 * @typedef {object} NamedMutant
 * @property {string} name the weakness
 * @property {string} file the file that contains the check
 * @property {string} find the code of the check; it occurs once in the file
 * @property {string} replace the weakened code
 * @property {string} tests the test file that must fail
 * @property {string} [title] runs only tests whose title contains this
 */

const custody = 'apps/frame/src/custody'
const page = 'apps/frame/src/page'
const protocol = 'packages/protocol/src/frame'
const stage = 'apps/frame/src/screens/stage'
const server = 'server/src'

/** @type {readonly NamedMutant[]} */
export const namedMutants = [
  {
    name: 'a share that was modified rebuilds a wrong key',
    file: `${custody}/splitKey.ts`,
    find: 'if ([one, other].every((share) => isSameBytes(checkOf(key, share), share.check))) return key',
    replace: 'return key',
    tests: `${custody}/splitKey.test.ts`,
    title: 'that was forged',
  },
  {
    name: 'the check bytes of a share do not cover its header',
    file: `${custody}/splitKey.ts`,
    find: "concatBytes(utf8ToBytes('kcv'), keyShareHeader(share))",
    replace: "utf8ToBytes('kcv')",
    tests: `${custody}/splitKey.test.ts`,
    title: 'flipped bit',
  },
  {
    name: 'one share is joined with itself',
    file: `${custody}/splitKey.ts`,
    find: 'one.role === other.role || one.values.at(-1) === other.values.at(-1)',
    replace: 'false',
    tests: `${custody}/splitKey.test.ts`,
    title: 'given once or twice',
  },
  {
    name: 'a share with the x coordinate zero is decoded',
    file: `${custody}/keyShare.ts`,
    find: "if (values[valueBytes - 1] === 0) throw invalidShare('its point is zero')",
    replace: '',
    tests: `${custody}/splitKey.test.ts`,
    title: 'x coordinate zero',
  },
  {
    name: 'the epoch of a vault is not authenticated',
    file: `${custody}/sealVault.ts`,
    find: 'new DataView(counted.buffer).setUint32(0, epoch)',
    replace: '',
    tests: `${custody}/sealVault.test.ts`,
    title: 'another key, wallet or epoch',
  },
  {
    name: 'the header of a sealed value is not authenticated',
    file: `${custody}/seal.ts`,
    find: "{ name: 'AES-GCM', iv: nonce, additionalData: copyToArrayBuffer(header) }",
    replace: "{ name: 'AES-GCM', iv: nonce, additionalData: new Uint8Array() }",
    tests: `${custody}/sealVault.test.ts`,
    title: 'opens with its key',
  },
  {
    name: 'the error about a recovery phrase keeps the library’s message',
    file: `${custody}/walletKeys.ts`,
    find: "} catch {\n    // The library's message contains the words.\n    throw custodyError('custody/invalid-phrase', {})",
    replace: '} catch (error) {\n    throw error',
    tests: `${custody}/walletKeys.test.ts`,
    title: 'without repeating it',
  },
  {
    name: 'dots of an allowed origin match any character',
    file: `${page}/isAllowedOrigin.ts`,
    find: "text.replace(/[.*+?^${}()|[\\]\\\\]/g, '\\\\$&')",
    replace: 'text',
    tests: `${page}/isAllowedOrigin.test.ts`,
  },
  {
    name: 'an allowed origin matches as a prefix',
    file: `${page}/isAllowedOrigin.ts`,
    find: '${escaped(host)}${ports}$`',
    replace: '${escaped(host)}${ports}`',
    tests: `${page}/isAllowedOrigin.test.ts`,
  },
  {
    name: 'messages of any window are accepted',
    file: `${page}/hostPage.ts`,
    find: 'source !== parent || port',
    replace: 'port',
    tests: `${page}/hostPage.test.ts`,
    title: 'I-04',
  },
  {
    name: 'the origin of the first message is not pinned',
    file: `${page}/hostPage.ts`,
    find: 'pinned = origin',
    replace: 'pinned ??= undefined',
    tests: `${page}/hostPage.test.ts`,
  },
  {
    name: 'a second message port is accepted',
    file: `${page}/hostPage.ts`,
    find: 'port !== undefined || origin',
    replace: 'origin',
    tests: `${page}/hostPage.test.ts`,
    title: 'I-06',
  },
  {
    name: 'foreign ancestors may embed the page that embeds the frame',
    file: `${page}/hostPage.ts`,
    find: '!ancestors.every((each) => isAllowedOrigin(each, allowedOrigins))',
    replace: 'false',
    tests: `${page}/hostPage.test.ts`,
    title: 'I-02',
  },
  {
    name: 'the id of a pending request is accepted again',
    file: `${page}/dispatcher.ts`,
    find: 'open.has(request.id)',
    replace: 'false',
    tests: `${page}/dispatcher.test.ts`,
    title: 'I-05',
  },
  {
    name: 'requests are not limited',
    file: `${page}/dispatcher.ts`,
    find: 'if (left < 1) return false',
    replace: '',
    tests: `${page}/dispatcher.test.ts`,
    title: 'I-05',
  },
  {
    name: 'messages of libraries reach the page',
    file: `${page}/dispatcher.ts`,
    find: 'return error instanceof Error ? findPublicError(error.cause) : undefined',
    replace: 'return error instanceof Error ? error : undefined',
    tests: `${page}/dispatcher.test.ts`,
    title: 'I-08',
  },
  {
    name: 'a late result of an aborted request is sent',
    file: `${page}/dispatcher.ts`,
    find: 'if (open.get(request.id) !== given) return',
    replace: '',
    tests: `${page}/dispatcher.test.ts`,
    title: 'I-12',
  },
  {
    name: 'getters of a message run',
    file: `${protocol}/parseFrameRequest.ts`,
    find: 'Object.getOwnPropertyDescriptor(data, key)?.value',
    replace: 'Reflect.get(data, key)',
    tests: `${protocol}/parseFrameRequest.test.ts`,
  },
  {
    name: 'a request without a printable id is accepted',
    file: `${protocol}/parseFrameRequest.ts`,
    find: ' || !printable.test(id)',
    replace: '',
    tests: `${protocol}/parseFrameRequest.test.ts`,
  },
  {
    name: 'the size of a message is unlimited',
    file: `${protocol}/copyPlain.ts`,
    find: "budget.left -= 2 + (typeof value === 'string' ? value.length : 0)",
    replace: '',
    tests: `${protocol}/parseFrameRequest.test.ts`,
  },
  {
    name: 'Approve is armed while the screen is covered',
    file: `${stage}/arming.ts`,
    find: '!state.isSeen || ',
    replace: '',
    tests: `${stage}/arming.test.ts`,
  },
  {
    name: 'Approve is armed at once',
    file: `${stage}/arming.ts`,
    find: 'later(() => set(true), armingTime)',
    replace: 'later(() => set(true), 0)',
    tests: `${stage}/arming.test.ts`,
  },
  {
    name: 'proofs are signed with any algorithm',
    file: `${server}/custody/requests/dpopProofs.ts`,
    find: "algorithms: ['ES256'],",
    replace: '',
    tests: `${server}/custody/requests/dpopProofs.test.ts`,
  },
  {
    name: 'a mail address contains a line end',
    file: `${server}/custody/mail/emailAddress.ts`,
    find: '!local.test(name) || ',
    replace: '',
    tests: `${server}/custody/mail/emailAddress.test.ts`,
  },
  {
    name: 'a guess of a code is not counted',
    file: `${server}/auth/login/codes.ts`,
    find: 'set tries = tries + 1',
    replace: 'set tries = tries',
    tests: `${server}/auth/login/codes.test.ts`,
    title: 'A-01',
  },
  {
    name: 'a code of another frame is accepted',
    file: `${server}/auth/login/codes.ts`,
    find: ' and key_thumbprint = ${key} and tries',
    replace: ' and tries',
    tests: `${server}/auth/login/codes.test.ts`,
    title: 'A-06',
  },
  {
    name: 'an exchanged refresh token does not end its session',
    file: `${server}/auth/sessions/sessions.ts`,
    find: 'await endSession(dependencies, row.session)\n    throw',
    replace: 'throw',
    tests: `${server}/auth/sessions/sessions.test.ts`,
    title: 'A-15',
  },
  {
    name: 'an access token of another key is accepted',
    file: `${server}/custody/requests/verifyAccessToken.ts`,
    find: 'keyThumbprint(cnf) !== key || ',
    replace: '',
    tests: `${server}/auth/sessions/sessions.test.ts`,
    title: 'A-17',
  },
]
