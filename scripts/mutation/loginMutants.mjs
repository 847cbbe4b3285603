/** @typedef {import('./namedMutants.mjs').NamedMutant} NamedMutant */

const server = 'server/src'
const screens = 'apps/frame/src/screens'
const worker = 'apps/frame/src/worker'

/**
 * Removed checks of the logins and the account of the embedded wallet.
 *
 * @type {readonly NamedMutant[]}
 */
export const loginMutants = [
  {
    name: 'two links to one mailbox have the same digits',
    file: `${server}/shares/approval/approvalLinks.ts`,
    find: 'drawDigits(rows.map((row) => row.match))',
    replace: 'drawDigits([])',
    tests: `${server}/shares/approval/distinctDigits.test.ts`,
    title: 'open links of a mailbox',
  },
  {
    name: 'processes that send links to one mailbox do not wait for each other',
    file: `${server}/shares/approval/approvalLinks.ts`,
    find: 'await lockHash(transaction, counters.mailbox)',
    replace: '',
    tests: `${server}/shares/approval/distinctDigits.test.ts`,
    title: 'open links of a mailbox',
  },
  {
    name: 'two waiting devices of a user have the same digits',
    file: `${server}/shares/approval/deviceRequests.ts`,
    find: 'drawDigits(rows.map((row) => row.match))',
    replace: 'drawDigits([])',
    tests: `${server}/shares/approval/distinctDigits.test.ts`,
    title: 'waiting devices of a user',
  },
  {
    name: 'the digits of a login confirm another one that has the same',
    file: `${server}/auth/social/socialLogins.ts`,
    find: 'case when match = ${match} and not exists (select from ambiguous) then',
    replace: 'case when match = ${match} then',
    tests: `${server}/auth/social/distinctDigits.test.ts`,
    title: 'of an attacker',
  },
  {
    name: 'a code for one action confirms another one',
    file: `${server}/custody/requests/riskChecks.ts`,
    find: 'if (isFresh(claims) && !isForOther) return',
    replace: 'if (isFresh(claims)) return',
    tests: `${server}/custody/requests/riskChecks.test.ts`,
    title: 'this action only',
  },
  {
    name: 'all known devices of a mailbox share a budget of codes',
    file: `${server}/auth/login/checkCodeLimits.ts`,
    find: 'const also = { known: true, key_thumbprint: key }',
    replace: 'const also = { known: true }',
    tests: `${server}/auth/login/codes.test.ts`,
    title: 'another one that uses up its budget',
  },
  {
    name: 'a page can cover the button that removes a device',
    file: `${screens}/devicesScreen.ts`,
    find: "text: texts.confirm, look: 'danger', guarded: true,",
    replace: "text: texts.confirm, look: 'danger',",
    tests: `${screens}/devicesScreen.test.tsx`,
    title: 'is guarded',
  },
  {
    name: 'the steps of the list of devices are not guarded',
    file: `${screens}/devicesScreen.ts`,
    find: "createScreen((steps) => loadDevices(steps, props), 'steps')",
    replace: 'createScreen((steps) => loadDevices(steps, props))',
    tests: `${screens}/devicesScreen.test.tsx`,
    title: 'is guarded',
  },
  {
    name: 'a page can cover the button that removes a recovery method',
    file: `${screens}/recovery/recoveryMethodsScreen.ts`,
    find: "look: 'danger', guarded: true, press: remove",
    replace: "look: 'danger', press: remove",
    tests: `${screens}/recovery/recoveryMethodsScreen.test.tsx`,
    title: 'is guarded',
  },
  {
    name: 'a Farcaster message may have the nonce of another login beside the right one',
    file: `${worker}/login/farcasterChannel.ts`,
    find: 'found.length === 1 && found[0]',
    replace: 'found[0]',
    tests: `${worker}/login/farcasterChannel.test.ts`,
    title: 'is refused with',
  },
  {
    name: 'a passkey that approves a device does not sign which one',
    file: `${worker}/login/devicePasskey.ts`,
    find: "concatBytes(utf8ToBytes('latchkey/device-passkey/1'), fromBase64url(thumbprint))",
    replace: "utf8ToBytes('latchkey/device-passkey/1')",
    tests: `${worker}/login/devicePasskey.test.ts`,
    title: 'signs its purpose and this device',
  },
  {
    name: 'a rehearsal uses another method than the chosen one',
    file: 'apps/frame/src/wallet/rehearse.ts',
    find: 'wrap.id === id ? getMethodKey(wrap) : undefined',
    replace: 'getMethodKey(wrap)',
    tests: 'apps/frame/src/wallet/wrongStores.test.ts',
    title: 'the chosen method only',
  },
]
