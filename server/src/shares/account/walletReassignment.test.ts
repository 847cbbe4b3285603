import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { openStolenDatabase, type DatabaseThief } from '../../testing/thief.ts'
import { signShareStoreProof } from '../testing/signShareStoreProof.ts'

const hour = 3_600_000
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const refused = { status: 403, body: { reasons: [{ field: 'device' }] } }
const needsWallet = { status: 401, body: { reasons: [{ field: 'wallet' }] } }

let mail: LocalMail
let services: LoginServices
let database: DatabaseThief
let authDatabase: DatabaseThief
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const parts = { auth: { rateLimiters }, shares: { rateLimiters } }
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock, parts })
  database = await openStolenDatabase(services.sharesDatabaseUrl)
  authDatabase = await openStolenDatabase(services.authDatabaseUrl)
})
afterAll(async () => {
  await database.leave()
  await authDatabase.leave()
  await services.close()
  await mail.close()
})

type Device = LoginClient & { readonly user: string }
const askFor = (email: string) => ({ email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' })

async function mailFor(email: string, act: () => Promise<unknown>): Promise<string> {
  later += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  return (await mail.waitFor(email, before)).text
}

/** Logs in with a code, with the key of an earlier device if given. */
async function logIn(email: string, twin?: LoginClient): Promise<Device> {
  const auth = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  let id: unknown
  const text = await mailFor(email, async () => {
    ;({ id } = (await auth.request('POST', '/auth/v1/codes', askFor(email))).body)
  })
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  const { body } = await auth.request('POST', '/auth/v1/codes/redeem', { id, email, code })
  const { tokens, user } = body as { tokens: { sharesToken: string }; user: { id: string } }
  const client = await createLoginClient(services.sharesUrl, { twin: auth, clock })
  client.use(tokens.sharesToken)
  return { ...client, user: user.id }
}

/** Approves the key of a device by the link that the share store mails. */
async function approve(device: Device, email: string): Promise<Device> {
  let match: unknown
  const text = await mailFor(email, async () => {
    ;({ match } = (await post(device, 'links', askFor(email))).body)
  })
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? expect.fail('no link'))
  const body = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  expect((await fetch(link.origin + link.pathname, { method: 'POST', body })).status).toBe(200)
  return device
}

const post = (client: LoginClient, path: string, body: object = {}) =>
  client.request('POST', `/shares/v1/${path}`, body)

/** @param key the wallet's key at the share store, if the device has to prove that it opened the wallet */
async function enrol(client: LoginClient, given: object, key?: Uint8Array): Promise<string> {
  const set = { walletId: randomBase64Url(16), setId: randomBase64Url(16), epoch: 1, share: randomBase64Url(120) }
  const draft = { ...set, ...given }
  expect(await post(client, 'sets', draft)).toMatchObject({ status: 200 })
  const action = { purpose: 'epoch', setId: Buffer.from(draft.setId, 'base64url') } as const
  const proof = key && (await signShareStoreProof(client, { url: services.sharesUrl, action, key }))
  const commit = { setId: draft.setId, ...(proof && { proof }) }
  expect(await post(client, 'sets/commit', commit)).toMatchObject({ status: 200 })
  return draft.walletId
}

/** A wallet, and a device that its contact approved minutes ago, that opened it, and that a thief has now. */
async function setUpAttack(email: string) {
  const key = randomBytes(32)
  const owner = await approve(await logIn(email), email)
  const walletId = await enrol(owner, {
    vault: randomBase64Url(60),
    wraps: [{ id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }],
    proofKey: Buffer.from(ed25519.getPublicKey(key)).toString('base64url'),
  })
  expect((await post(owner, 'auto')).status).toBe(200)
  const thief = await approve(await logIn(email), email)
  await enrol(thief, { walletId }, key)
  return { key, owner, thief, before: await rowsOf(owner) }
}

const signAdoption = (device: Device, previous: string, key: Uint8Array, url = services.sharesUrl) =>
  signShareStoreProof(device, { url, action: { purpose: 'adopt', previous }, key })

const rowsOf = ({ user }: Device) =>
  database.run(`
    select encode(vault, 'hex') as vault, encode(proof_key, 'hex') as key,
      (select string_agg(encode(share, 'hex'), ',' order by set_id) from share_set where user_id = '${user}') as sets,
      (select string_agg(encode(wrapped, 'hex'), ',' order by id) from share_wrap where user_id = '${user}') as wraps,
      (select encode(secret, 'hex') from share_auto where user_id = '${user}') as auto,
      (select count(*) from share_device where user_id = '${user}') as devices,
      (select count(*) from share_data_key where owner = '${user}') as keys
    from share_wallet where user_id = '${user}'`)

/** The auth service forgets a user, or claims so. */
const forgetUser = ({ user }: Device) => authDatabase.run(`delete from auth_user where id = '${user}'`)

describe('a device that the contact of a wallet approved minutes ago', { tags: 'abuse' }, () => {
  test('can’t move the wallet to the thief’s own account [C-08]', async () => {
    const { owner, thief, before } = await setUpAttack('ann@example.org')
    const own = await logIn('mallory-1@example.net', thief)
    expect(await post(own, 'adopt')).toMatchObject(refused)
    expect(await post(own, 'adopt/read')).toMatchObject(refused)
    expect(await rowsOf(owner)).toEqual(before)
    expect((await post(await logIn('ann@example.org', owner), 'sets/find')).status).toBe(200)
  })

  test('can’t move it if the auth service lies that the owner is lost [C-08] [K-11]', async () => {
    const { owner, thief, before } = await setUpAttack('ben@example.org')
    await forgetUser(owner)
    const own = await logIn('mallory-2@example.net', thief)
    expect(await post(own, 'adopt')).toMatchObject(refused)
    expect(await post(own, 'adopt/read')).toMatchObject(refused)
    expect(await rowsOf(owner)).toEqual(before)
  })

  test('can’t move it after a day while the owner exists, or without the wallet’s key [C-08] [K-11]', async () => {
    const { key, owner, thief, before } = await setUpAttack('cat@example.org')
    later += 25 * hour
    const other = await approve(await logIn('mallory-3@example.net'), 'cat@example.org')
    const own = await approve(await logIn('mallory-3@example.net', thief), 'cat@example.org')
    const proof = await signAdoption(own, owner.user, key)
    expect(await post(own, 'adopt', { proof })).toMatchObject(refused)
    expect(await post(own, 'adopt/read')).toMatchObject(refused)
    await forgetUser(owner)
    const proofs: readonly object[] = [
      {},
      { proof: await signAdoption(own, owner.user, randomBytes(32)) },
      { proof: await signAdoption(own, own.user, key) },
      { proof: await signAdoption(own, owner.user, key, services.authUrl) },
      { proof: await signShareStoreProof(own, { url: services.sharesUrl, action: { purpose: 'delete' }, key }) },
      { proof: await signAdoption(other, owner.user, key) },
    ]
    for (const body of proofs) expect(await post(own, 'adopt', body)).toMatchObject(needsWallet)
    expect(await rowsOf(owner)).toEqual(before)
  })
})

test('a login with the old address on a known device moves nothing after a change of address [C-08]', async () => {
  const email = 'dan@example.org'
  const { key, owner, before } = await setUpAttack(email)
  later += 25 * hour
  // The change at the auth service: the previous address logs in as a new user.
  await authDatabase.run(`update auth_user set mailbox = '\\x01' where id = '${owner.user}'`)
  const again = await approve(await logIn(email, owner), email)
  expect(again.user).not.toBe(owner.user)
  expect(await post(again, 'adopt', { proof: await signAdoption(again, owner.user, key) })).toMatchObject(refused)
  expect(await rowsOf(owner)).toEqual(before)
})

test('the device that created the wallet moves it with a proof after the auth service lost its data [K-04]', async () => {
  const email = 'eve@example.org'
  const { key, owner } = await setUpAttack(email)
  const stored = (await post(owner, 'sets/find')).body
  await forgetUser(owner)
  // The first approval has expired.
  later += 16 * 60_000
  const again = await logIn(email, owner)
  expect(await post(again, 'adopt/read')).toMatchObject(refused)
  await approve(again, email)
  const { body } = await post(again, 'adopt/read')
  expect(body).toMatchObject({ previous: owner.user, walletId: stored['walletId'], vault: stored['vault'] })
  expect(await post(again, 'adopt')).toMatchObject(needsWallet)
  const proof = await signAdoption(again, String(body['previous']), key)
  expect(await post(again, 'adopt', { proof })).toEqual({ status: 200, body: { previous: owner.user } })
  expect((await post(again, 'sets/read', { setId: body['setId'] })).body['share']).toBe(body['share'])
  expect((await post(again, 'auto')).body['key']).toBe(body['autoKey'])
  expect(await rowsOf(owner)).toEqual([])
})
