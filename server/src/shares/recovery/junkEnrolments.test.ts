import { createHash, randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { walletProofBytes } from '../../auth/keyShares/verifyWalletProof.ts'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { openStolenDatabase } from '../../testing/thief.ts'
import { signShareStoreProof } from '../testing/signShareStoreProof.ts'

const day = 86_400_000
const asking = { projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const encode = (content: Uint8Array): string => Buffer.from(content).toString('base64url')
const decode = (text: string): Buffer => Buffer.from(text, 'base64url')
const done = { status: 200 }
const needsWallet = { status: 401, body: { reasons: [{ field: 'wallet' }] } }

let mail: LocalMail
let services: LoginServices
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  // The limits of one network are not under test.
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const parts = { auth: { rateLimiters }, shares: { rateLimiters } }
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock, parts })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

/** The keys of a wallet: its first Solana account, and that of its proofs at the share store. */
type WalletKeys = { readonly account: Uint8Array; readonly store: Uint8Array }
type Device = { readonly auth: LoginClient; readonly shares: LoginClient }

async function mailFor(email: string, act: () => Promise<unknown>): Promise<string> {
  later += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  return (await mail.waitFor(email, before)).text
}

/** Logs a device in with a code. A new one is approved with the link of the share store. */
async function logInDevice(email: string, known?: Device): Promise<Device> {
  const auth = await createLoginClient(services.authUrl, { clock, ...(known && { twin: known.auth }) })
  const shares = await createLoginClient(services.sharesUrl, { twin: auth, clock })
  let asked: Record<string, unknown> = {}
  const text = await mailFor(email, async () => {
    asked = (await auth.request('POST', '/auth/v1/codes', { email, ...asking })).body
  })
  const code = /\b\d{6}\b/.exec(text)?.[0] ?? expect.fail('no code')
  const redeemed = await auth.request('POST', '/auth/v1/codes/redeem', { id: asked['id'], email, code })
  const { tokens } = redeemed.body as { tokens: { accessToken: string; sharesToken: string } }
  auth.use(tokens.accessToken)
  shares.use(tokens.sharesToken)
  if (known === undefined) await approveDevice(shares, email)
  return { auth, shares }
}

async function approveDevice(shares: LoginClient, email: string): Promise<void> {
  let match: unknown
  const text = await mailFor(email, async () => {
    ;({ match } = (await shares.request('POST', '/shares/v1/links', { email, ...asking })).body)
  })
  const link = new URL(/http:\/\/127\S+/.exec(text)?.[0] ?? '')
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
}

async function signWalletProof(auth: LoginClient, { account }: WalletKeys) {
  const { challenge } = (await auth.request('POST', '/auth/v1/passkeys/challenge', {})).body
  const text = Uint8Array.from(walletProofBytes(decode(String(challenge))))
  return { challenge, signature: encode(ed25519.sign(text, account)) }
}

type Set = { walletId: string; setId: string; epoch: number; share: string }
const createSet = (walletId = randomBase64Url(16)): Set => ({
  walletId,
  setId: randomBase64Url(16),
  epoch: 1,
  share: randomBase64Url(120),
})
const proofOf = ({ share }: Set): string => createHash('sha256').update(`proof of ${share}`).digest('base64url')
const verifierOf = (set: Set): string =>
  createHash('sha256')
    .update(decode(proofOf(set)))
    .digest('base64url')

/** Stores a set at both services and commits it as a frame does. Without the keys it proves nothing. */
async function enrol({ auth, shares }: Device, set: Set, { keys, first = {} }: { keys?: WalletKeys; first?: object }) {
  const solana = base58.encode(ed25519.getPublicKey(keys?.account ?? randomBytes(32)))
  const accounts = [{ namespace: 'solana', address: solana }]
  const { setId } = set
  const prepared = { ...set, accounts, verifier: verifierOf(set) }
  expect(await shares.request('POST', '/shares/v1/sets', { ...set, ...first })).toMatchObject(done)
  expect(await auth.request('POST', '/auth/v1/shares', prepared)).toMatchObject(done)
  const proof = keys && (await signWalletProof(auth, keys))
  expect(await auth.request('POST', '/auth/v1/shares/commit', { setId, ...(proof && { proof }) })).toMatchObject(done)
  const action = { purpose: 'epoch', setId: decode(setId) } as const
  const sent = keys && (await signShareStoreProof(shares, { url: services.sharesUrl, action, key: keys.store }))
  const commit = { setId, ...(sent && { proof: sent }) }
  expect(await shares.request('POST', '/shares/v1/sets/commit', commit)).toMatchObject(done)
  expect(await auth.request('POST', '/auth/v1/shares/commit', { setId })).toMatchObject(done)
}

/** Enrols as the share store accepted it before it required a proof: as for a wallet whose key it does not know. */
async function enrolUnproven(device: Device, junk: Set): Promise<void> {
  const database = await openStolenDatabase(services.sharesDatabaseUrl)
  const wallet = `wallet_id = '\\x${decode(junk.walletId).toString('hex')}'`
  const [row] = await database.run(`select encode(proof_key, 'hex') as key from share_wallet where ${wallet}`)
  await database.run(`update share_wallet set proof_key = null where ${wallet}`)
  await enrol(device, junk, {})
  await database.run(`update share_wallet set proof_key = '\\x${String(row?.['key'])}' where ${wallet}`)
  await database.leave()
}

/** Returns which of the sets both services still have, by position. */
async function listKept(sets: readonly Set[]) {
  await services.sweep()
  const tables = { share_set: services.sharesDatabaseUrl, auth_share: services.authDatabaseUrl }
  const kept: Record<string, readonly number[]> = {}
  for (const [table, url] of Object.entries(tables)) {
    const database = await openStolenDatabase(url)
    const rows = await database.run(`select encode(set_id, 'hex') as id from ${table} where live_at is not null`)
    await database.leave()
    const ids = new Set(rows.map(({ id }) => id))
    kept[table] = sets.flatMap(({ setId }, index) => (ids.has(decode(setId).toString('hex')) ? [index] : []))
  }
  return kept
}

async function createOwner(email: string) {
  const keys: WalletKeys = { account: randomBytes(32), store: randomBytes(32) }
  const wraps = [{ id: 'password', method: 'password', wrapped: randomBase64Url(60), facts: '{}' }]
  const proofKey = encode(ed25519.getPublicKey(keys.store))
  const set = createSet()
  const device = await logInDevice(email)
  await enrol(device, set, { keys, first: { vault: randomBase64Url(60), wraps, proofKey } })
  return { keys, set, device }
}

/** Stores a set at the share store as a draft, and tries to commit it with a proof of these keys, or without one. */
async function commitJunk({ shares }: Device, junk: Set, keys?: WalletKeys) {
  const { setId } = junk
  expect(await shares.request('POST', '/shares/v1/sets', junk)).toMatchObject(done)
  const action = { purpose: 'epoch', setId: decode(setId) } as const
  const proof = keys && (await signShareStoreProof(shares, { url: services.sharesUrl, action, key: keys.store }))
  return shares.request('POST', '/shares/v1/sets/commit', { setId, ...(proof && { proof }) })
}

test('a thief who held the mailbox for a moment makes no junk live at the share store, with no proof or another key [C-08]', async () => {
  const email = 'ann@example.org'
  const { set } = await createOwner(email)
  const thief = await logInDevice(email)
  const other: WalletKeys = { account: randomBytes(32), store: randomBytes(32) }
  for (const keys of [undefined, other]) {
    expect(await commitJunk(thief, createSet(set.walletId), keys)).toMatchObject(needsWallet)
  }
  // The approval by the mailbox ends, and the device is none of the wallet.
  later += 16 * 60_000
  const again = await logInDevice(email, thief)
  for (const path of ['sets/find', 'auto', 'devices/waiting', 'ways/list']) {
    const refused = { status: 403, body: { reasons: [{ field: 'device' }] } }
    expect(await again.shares.request('POST', `/shares/v1/${path}`, {})).toMatchObject(refused)
  }
  later += day
  expect(await listKept([set])).toMatchObject({ share_set: [0] })
})

test('a device of the owner becomes one of the wallet by a proof that it opened the wallet [C-08]', async () => {
  const email = 'dan@example.org'
  const { set, keys } = await createOwner(email)
  const phone = await logInDevice(email)
  const next = createSet(set.walletId)
  expect(await commitJunk(phone, next, keys)).toMatchObject(done)
  // A repeated request whose response was lost has no unused challenge.
  const repeated = await phone.shares.request('POST', '/shares/v1/sets/commit', { setId: next.setId })
  expect(repeated).toMatchObject(done)
})

test('the owner’s shares outlast junk that an earlier version accepted from a thief, at both services [C-08]', async () => {
  const email = 'ben@example.org'
  const { set } = await createOwner(email)
  const thief = await logInDevice(email)
  // The share store returns the sealed share to the thief, so the auth service takes the thief's device for an approved one.
  const given = { setId: set.setId, proof: proofOf(set) }
  expect(await thief.auth.request('POST', '/auth/v1/shares/any', given)).toMatchObject(done)
  const junk = createSet(set.walletId)
  await enrolUnproven(thief, junk)
  later += 92 * day
  expect(await listKept([set, junk])).toEqual({ share_set: [0], auth_share: [0, 1] })
  const owner = await logInDevice(email)
  expect((await owner.shares.request('POST', '/shares/v1/sets/find', {})).body).toMatchObject({ setId: set.setId })
  expect(await owner.auth.request('POST', '/auth/v1/shares/any', given)).toMatchObject({ body: { share: set.share } })
})

test('unused shares are deleted after ninety days once a device that opened the wallet has newer ones', async () => {
  const email = 'cat@example.org'
  const { set, keys } = await createOwner(email)
  later += day
  const next = createSet(set.walletId)
  await enrol(await logInDevice(email), next, { keys })
  expect(await listKept([set, next])).toEqual({ share_set: [0, 1], auth_share: [0, 1] })
  later += 92 * day
  expect(await listKept([set, next])).toEqual({ share_set: [1], auth_share: [1] })
  later += 92 * day
  expect(await listKept([set, next])).toEqual({ share_set: [1], auth_share: [1] })
})
