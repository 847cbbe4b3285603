import { randomBytes } from 'node:crypto'
import { startMail, type LocalMail, type ReceivedMail } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { openStolenDatabase, type DatabaseThief } from '../../testing/thief.ts'

const projectId = 'ab'.repeat(16)
const origin = 'http://app.localhost'
const hour = 3_600_000
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const notApproved = { status: 403, body: { reasons: [{ field: 'device' }] } }

let mail: LocalMail
let services: LoginServices
let authDatabase: DatabaseThief
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const parts = { auth: { rateLimiters }, shares: { rateLimiters } }
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock, parts })
  authDatabase = await openStolenDatabase(services.authDatabaseUrl)
})
afterAll(async () => {
  await authDatabase.leave()
  await services.close()
  await mail.close()
})

type Device = { readonly auth: LoginClient; readonly shares: LoginClient; readonly user: string }

async function mailFor(email: string, act: () => Promise<unknown>): Promise<ReceivedMail> {
  later += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  return mail.waitFor(email, before)
}

async function approve({ shares }: Pick<Device, 'shares'>, email: string): Promise<void> {
  let match: unknown
  const { text } = await mailFor(email, async () => {
    ;({ match } = (await shares.request('POST', '/shares/v1/links', { email, projectId, origin })).body)
  })
  await confirmLink(linkIn(text), { match: String(match) })
}

/** Logs in with a code. A device with the keys of an earlier one is the same device. */
async function logIn(email: string, known?: Device): Promise<Device> {
  const twin = known?.auth
  const auth = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  const shares = await createLoginClient(services.sharesUrl, { clock, twin: auth })
  if (known === undefined) await approve({ shares }, email)
  let id: unknown
  const { text } = await mailFor(email, async () => {
    ;({ id } = (await auth.request('POST', '/auth/v1/codes', { email, projectId, origin })).body)
  })
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  const { body } = await auth.request('POST', '/auth/v1/codes/redeem', { id, email, code })
  const { tokens, user } = body as { tokens: { accessToken: string; sharesToken: string }; user: { id: string } }
  auth.use(tokens.accessToken)
  shares.use(tokens.sharesToken)
  return { auth, shares, user: user.id }
}

const linkIn = (text: string): URL => new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
async function confirmLink(link: URL, more: Record<string, string> = {}): Promise<string> {
  const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), ...more })
  return (await fetch(link.origin + link.pathname, { method: 'POST', body })).text()
}
const open = ({ shares }: Device) => shares.request('POST', '/shares/v1/sets/find', {})

/** Enrols a device at both services. */
async function enrol({ auth, shares }: Device, walletId = randomBase64Url(16), isFirst = false): Promise<string> {
  const set = { walletId, setId: randomBase64Url(16), epoch: 1 }
  const wraps = [{ id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }]
  const first = isFirst ? { vault: randomBase64Url(60), wraps } : {}
  expect(
    (await shares.request('POST', '/shares/v1/sets', { ...set, share: randomBase64Url(120), ...first })).status,
  ).toBe(200)
  const accounts = [{ namespace: 'a', address: 'b' }]
  await auth.request('POST', '/auth/v1/shares', { ...set, share: randomBase64Url(94), accounts, origin })
  expect((await shares.request('POST', '/shares/v1/sets/commit', { setId: set.setId })).status).toBe(200)
  expect((await auth.request('POST', '/auth/v1/shares/commit', { setId: set.setId })).status).toBe(200)
  return walletId
}

/** A wallet, a new device of a thief, and the notice about it. */
async function setUpAttack(email: string) {
  const owner = await logIn(email)
  const walletId = await enrol(owner, randomBase64Url(16), true)
  const thief = await logIn(email)
  const { text } = await mailFor(email, () => enrol(thief, walletId))
  return { owner, thief, walletId, notice: linkIn(text) }
}

test(
  'the link of a notice ends the device at both services, even after another login [C-07]',
  { tags: 'abuse' },
  async () => {
    const email = 'ann@example.org'
    const { owner, thief, notice } = await setUpAttack(email)
    expect((await open(thief)).status).toBe(200)
    expect(await confirmLink(notice)).toContain('The device was removed')
    expect((await open(thief)).status).toBe(401)
    // The thief still reads the mailbox of the login, and has the device that the share store admitted.
    const again = await logIn(email, thief)
    for (const path of ['sets/find', 'auto', 'ways/list', 'wallet/challenge']) {
      expect(await again.shares.request('POST', `/shares/v1/${path}`, {})).toMatchObject(notApproved)
    }
    later += 25 * hour
    expect(await open(await logIn(email, thief))).toMatchObject(notApproved)
    expect((await open(await logIn(email, owner))).status).toBe(200)
  },
)

test('an approval from before the removal is void, and one after it makes the device a new one [C-07]', async () => {
  const email = 'ben@example.org'
  const { thief: phone, notice, walletId } = await setUpAttack(email)
  await approve(phone, email)
  await confirmLink(notice)
  const again = await logIn(email, phone)
  expect(await open(again)).toMatchObject(notApproved)
  // The owner removed one of their devices by mistake.
  await approve(again, email)
  expect((await open(again)).status).toBe(200)
  await enrol(again, walletId)
  const set = {
    walletId,
    setId: randomBase64Url(16),
    epoch: 2,
    share: randomBase64Url(120),
    vault: randomBase64Url(60),
  }
  const refused = await again.shares.request('POST', '/shares/v1/sets', set)
  expect(refused).toMatchObject({ status: 403, body: { reasons: [{ field: 'deviceAge' }] } })
  expect((await open(await logIn(email, again))).status).toBe(200)
})

test('an auth service that removes all devices deletes nothing at the share store, and the contact lets the owner in [K-11]', async () => {
  const email = 'cat@example.org'
  const { owner, thief: phone } = await setUpAttack(email)
  const found = (await open(owner)).body
  await authDatabase.run(`
    insert into auth_removed_device (user_id, key_thumbprint, at)
    select user_id, key_thumbprint, ${clock.now()} from auth_key where user_id = '${owner.user}'`)
  const known = await logIn(email, owner)
  expect(await open(known)).toMatchObject(notApproved)
  await approve(known, email)
  expect((await open(known)).body).toMatchObject({ walletId: found['walletId'], vault: found['vault'] })
  expect(await open(await logIn(email, phone))).toMatchObject(notApproved)
})

test('a device that stored a draft only is listed, and every device removes it with its draft [C-07]', async () => {
  const email = 'dan@example.org'
  const owner = await logIn(email)
  const walletId = await enrol(owner, randomBase64Url(16), true)
  const thief = await logIn(email)
  const draft = { walletId, setId: randomBase64Url(16), epoch: 1, share: randomBase64Url(120) }
  expect((await thief.shares.request('POST', '/shares/v1/sets', draft)).status).toBe(200)
  const list = async () => {
    const { body } = await owner.shares.request('POST', '/shares/v1/devices/list', {})
    return (body as { devices: { key: string }[] }).devices.map(({ key }) => key)
  }
  expect(new Set(await list())).toEqual(new Set([owner.shares.key, thief.shares.key]))
  const removed = await owner.shares.request('POST', '/shares/v1/devices/remove', { key: thief.shares.key })
  expect(removed.status).toBe(200)
  expect(await list()).toEqual([owner.shares.key])
  expect(await thief.shares.request('POST', '/shares/v1/sets/commit', { setId: draft.setId })).toMatchObject(
    notApproved,
  )
})
