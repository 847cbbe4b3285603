/** @typedef {import('./namedMutants.mjs').NamedMutant} NamedMutant */

const server = 'server/src'
const screens = 'apps/frame/src/screens'
const withoutTransaction = 'const run = async (act: (database: any) => Promise<any>) => act(database)\n  '

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
    name: 'a wallet that was made with the previous address keeps it',
    file: `${server}/auth/account/emailChanges.ts`,
    find: 'update auth_user set mailbox = null where mailbox = ${mailbox}::bytea and id <> ${user} returning id',
    replace: 'select id from auth_user where mailbox = ${mailbox}::bytea and id <> ${user}',
    tests: `${server}/auth/account/account.test.ts`,
    title: 'made a wallet with it',
  },
  {
    name: 'the revert of an address is not atomic',
    file: `${server}/auth/account/emailChanges.ts`,
    find: 'const isReverted = await database.transaction().execute(async (transaction) => {',
    replace: `${withoutTransaction}const isReverted = await run(async (transaction) => {`,
    tests: `${server}/auth/account/account.test.ts`,
    title: 'in the middle of a first attempt',
  },
  {
    name: 'the change of an address is not atomic',
    file: `${server}/auth/account/emailChanges.ts`,
    find: '  await database.transaction().execute(async (transaction) => {\n    const current',
    replace: `${withoutTransaction}await run(async (transaction) => {\n    const current`,
    tests: `${server}/auth/account/account.test.ts`,
    title: 'not at all if a crash',
  },
  {
    name: 'a login alone deletes an account after three days',
    file: `${server}/auth/account/deletions.ts`,
    find: 'isProven ? provenDelayMs : unprovenDelayMs',
    replace: 'provenDelayMs',
    tests: `${server}/auth/account/account.test.ts`,
    title: 'thief of the mailbox',
  },
  {
    name: 'any signature counts as a proof of the wallet',
    file: `${server}/auth/account/accountEndpoints.ts`,
    find: 'if (proof !== undefined) await assertWalletProof(dependencies, device, proof)',
    replace: '',
    tests: `${server}/auth/account/account.test.ts`,
    title: 'thief of the mailbox',
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
    name: 'a login alone makes a device a known one',
    file: `${server}/auth/login/users.ts`,
    find: 'where key_thumbprint = ${key} and seen_at > ${clock.now() - knownMs} and (proven_at is not null or founder = ${key})',
    replace: 'where key_thumbprint = ${key} and seen_at > ${clock.now() - knownMs}',
    tests: `${server}/auth/keyShares/establishedDevice.test.ts`,
    title: 'codes of the owner',
  },
  {
    name: 'a new device logs out an established one',
    file: `${server}/auth/sessions/deviceSessionEndpoints.ts`,
    find: 'if (body.key !== key && (await users.isEstablishedDevice(user, body.key))) {',
    replace: 'if (false) {',
    tests: `${server}/auth/sessions/deviceSessions.test.ts`,
    title: 'neither alone nor with all others',
  },
  {
    name: 'networks that got a mail stay ahead of the owner',
    file: `${server}/custody/mail/takeMailTurn.ts`,
    find: 'wasServed ? undefined : queue.find((turn) => turn.turn_at > now && isServed(turn, now))',
    replace: 'undefined as Turn | undefined',
    tests: `${server}/custody/mail/takeMailTurn.test.ts`,
    title: 'two turns at most',
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
]
