import { startMail, type LocalMail } from '@latchkey/devnet'
import { openStolenDatabase, startLoginServices, type LoginServices } from '@latchkey/server/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestHolder } from '../testing/openTestHolder.ts'
import type { LoginResult, HolderUser, KeyHolder } from './keyHolder.ts'
import { logInByMail } from '../testing/mailedLogin.ts'
import { createMemoryStore, type HolderStore } from './storage/holderStore.ts'

let mail: LocalMail
let services: LoginServices
let ahead = 0
const now = (): number => Date.now() + ahead
const origin = 'http://app.localhost'

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock: { now } })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

/** A browser with its storage. */
function openBrowser(store: HolderStore): Promise<KeyHolder> {
  const { authUrl, sharesUrl } = services
  return openTestHolder({ authUrl, sharesUrl, store, now })
}

async function logIn(holder: KeyHolder, email: string): Promise<HolderUser> {
  // Limits: twenty mails per hour and machine, one per half minute and address.
  ahead += 181_000
  return (await logInByMail(mail, holder, { email, origin })).user
}

function userOf(entered: LoginResult): HolderUser {
  return 'user' in entered ? entered.user : expect.fail(`something else is wanted: ${JSON.stringify(entered)}`)
}

/** A browser that knows the login, at a service that doesn't: link and code are mailed at once. */
async function enterAgain(holder: KeyHolder, email: string): Promise<LoginResult> {
  ahead += 181_000
  const before = mail.received()[0]?.id ?? 0
  const { action, match } = await holder.sendCode({ email, origin })
  expect(action).toBe('VERIFY_DEVICE')
  await mail.waitFor(email, before)
  const texts = mail.received().flatMap(({ id, to, text }) => (id > before && to.includes(email) ? [text] : []))
  const link = new URL(/http:\/\/127\S+/.exec(texts.join(' '))?.[0] ?? expect.fail('no link'))
  const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  expect((await fetch(link.origin + link.pathname, { method: 'POST', body })).status).toBe(200)
  await holder.awaitDevice()
  const code = texts.flatMap((text) => /\b\d{6}\b/.exec(text) ?? [])[0]
  return holder.redeem(code ?? expect.fail('no code'))
}

const logInAgain = async (holder: KeyHolder, email: string): Promise<HolderUser> =>
  userOf(await enterAgain(holder, email))

/** A browser whose session has ended. */
async function openSignedOut(store: HolderStore): Promise<KeyHolder> {
  const holder = await openBrowser(store)
  await holder.signOut().catch(() => undefined)
  return holder
}

describe('a user whose auth service lost its data', () => {
  async function loseAuthData(): Promise<void> {
    const database = await openStolenDatabase(services.authDatabaseUrl)
    await database.run('truncate auth_user, auth_session cascade')
    await database.leave()
    // The first approval by mail has expired.
    ahead += 16 * 60_000
  }

  test('keeps the addresses in the same browser, and gets three shares again [K-04]', { tags: 'abuse' }, async () => {
    const [email, store] = ['vic@example.org', createMemoryStore()]
    const user = await logIn(await openBrowser(store), email)
    await loseAuthData()
    const again = await logInAgain(await openSignedOut(store), email)
    expect(again.id).not.toBe(user.id)
    expect(again.accounts).toEqual(user.accounts)
    expect((await logIn(await openBrowser(createMemoryStore()), email)).accounts).toEqual(user.accounts)
  })

  test('gets no second wallet on a device without a key share, before or after [K-04]', async () => {
    const [email, store] = ['wes@example.org', createMemoryStore()]
    const user = await logIn(await openBrowser(store), email)
    await loseAuthData()
    const other = await openBrowser(createMemoryStore())
    await expect(logIn(other, email)).rejects.toMatchObject({ code: 'custody/wallet-elsewhere' })
    expect((await logInAgain(await openSignedOut(store), email)).accounts).toEqual(user.accounts)
    expect((await logIn(other, email)).accounts).toEqual(user.accounts)
  })

  test('keeps the addresses with a passkey alone, which opens the wallet before it moves [K-04] [C-08]', async () => {
    const [email, store] = ['yan@example.org', createMemoryStore()]
    const holder = await openBrowser(store)
    const { accounts } = await logIn(holder, email)
    const passkey = { id: 'AAAAAAAAAAAAAAAAAAAAAA', output: new Uint8Array(32).fill(7) }
    await holder.addPasskey({ ...passkey, facts: '{}' })
    await holder.removeRecoveryMethod('auto', [{ method: 'passkey', ...passkey }])
    await loseAuthData()
    const again = await openSignedOut(store)
    expect(await enterAgain(again, email)).toEqual({ recoveryMethods: [{ id: passkey.id, method: 'passkey' }] })
    const wrong = { method: 'passkey', ...passkey, output: new Uint8Array(32).fill(8) } as const
    await expect(again.recoverWith(wrong)).rejects.toMatchObject({ code: 'custody/unreadable' })
    expect((await again.recoverWith({ method: 'passkey', ...passkey })).accounts).toEqual(accounts)
  })

  test('opens the wallet again if only the auth shares are gone [K-04]', { tags: 'abuse' }, async () => {
    const [email, store] = ['xia@example.org', createMemoryStore()]
    const { accounts, id } = await logIn(await openBrowser(store), email)
    const database = await openStolenDatabase(services.authDatabaseUrl)
    await database.run(`delete from auth_share where user_id = '${id}'`)
    await database.leave()
    const known = await openSignedOut(store)
    expect((await logIn(known, email)).accounts).toEqual(accounts)
    expect((await logIn(await openBrowser(createMemoryStore()), email)).accounts).toEqual(accounts)
  })
})

test('a login with the previous address moves no wallet on a known device, and the new address opens it [C-08]', async () => {
  const [email, next, store] = ['zoe@example.org', 'zoe@example.net', createMemoryStore()]
  const holder = await openBrowser(store)
  const user = await logIn(holder, email)
  const codeIn = (text: string): string => /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  ahead += 181_000
  let before = mail.received()[0]?.id ?? 0
  await holder.updateEmail({ email: next, origin })
  const primary = codeIn((await mail.waitFor(email, before)).text)
  ahead += 181_000
  before = mail.received()[0]?.id ?? 0
  const { match } = (await holder.updateEmailPrimary(primary)) ?? expect.fail('no link')
  const text = mail
    .received()
    .flatMap(({ id, to, text: each }) => (id > before && to.includes(next) ? [each] : []))
    .join()
  const link = new URL(/http:\/\/127\S+\/device\?[^\s,]+/.exec(text)?.[0] ?? expect.fail('no link'))
  const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match })
  await fetch(link.origin + link.pathname, { method: 'POST', body })
  await holder.awaitNewAddress()
  await holder.updateEmailSecondary(codeIn(text))
  // The first approval by mail has expired.
  ahead += 16 * 60_000
  await expect(logIn(await openSignedOut(store), email)).rejects.toMatchObject({ status: 403, field: 'device' })
  // The previous address still approves devices for three days, because it can undo the change.
  await expect(logIn(await openSignedOut(store), email)).rejects.toMatchObject({ code: 'custody/wallet-elsewhere' })
  expect(await logIn(await openSignedOut(store), next)).toMatchObject({ id: user.id, accounts: user.accounts })
})
