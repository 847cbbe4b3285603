import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { createPolicyChange } from '../testing/createPolicyChange.ts'
import { signShareStoreProof } from '../testing/signShareStoreProof.ts'
import { openStolenDatabase, type DatabaseThief } from '../../testing/thief.ts'
import type { ProvenAction } from './storeProofs.ts'

const hour = 3_600_000
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const encode = (content: Uint8Array): string => Buffer.from(content).toString('base64url')
const decode = (text: string): Buffer => Buffer.from(text, 'base64url')
const createWrap = (id = 'auto') => ({ id, method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }) as const
const createDraft = (given: object = {}) => ({
  walletId: randomBase64Url(16),
  setId: randomBase64Url(16),
  epoch: 1,
  share: randomBase64Url(120),
  ...given,
})
const needsWallet = { status: 401, body: { reasons: [{ field: 'wallet' }] } }

let mail: LocalMail
let services: LoginServices
let database: DatabaseThief
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  // The limits of one network are not under test.
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const parts = { auth: { rateLimiters }, shares: { rateLimiters } }
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock, parts })
  database = await openStolenDatabase(services.sharesDatabaseUrl)
})
afterAll(async () => {
  await database.leave()
  await services.close()
  await mail.close()
})

type Device = LoginClient & { readonly user: string }

/** Logs a device in and approves it by mail. */
async function logInDevice(email: string, twin?: LoginClient): Promise<Device> {
  later += 181_000
  const asking = { email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }
  const auth = await createLoginClient(services.authUrl, { clock, ...(twin && { twin }) })
  let before = mail.received()[0]?.id ?? 0
  const { body } = await auth.request('POST', '/auth/v1/codes', asking)
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email, before)).text)?.[0] ?? expect.fail('no code')
  const redeemed = await auth.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email, code })
  const { tokens, user } = redeemed.body as { tokens: { sharesToken: string }; user: { id: string } }
  const client = await createLoginClient(services.sharesUrl, { twin: auth, clock })
  if (twin === undefined) {
    before = mail.received()[0]?.id ?? 0
    const { match } = (await client.request('POST', '/shares/v1/links', asking)).body
    const link = new URL(/http:\/\/127\S+/.exec((await mail.waitFor(email, before)).text)?.[0] ?? '')
    const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
    await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  }
  client.use(tokens.sharesToken)
  return { ...client, user: user.id }
}

const post = (client: LoginClient, path: string, body: object) => client.request('POST', `/shares/v1/${path}`, body)

/** @param key the wallet's key at the share store, if the device has to prove that it opened the wallet */
async function enrol(client: LoginClient, set = createDraft(), key?: Uint8Array) {
  expect(await post(client, 'sets', set)).toMatchObject({ status: 200 })
  const action = { purpose: 'epoch', setId: decode(set.setId) } as const
  const proof = key && (await sign(client, action, key))
  const commit = { setId: set.setId, ...(proof && { proof }) }
  expect(await post(client, 'sets/commit', commit)).toMatchObject({ status: 200 })
  return set
}

/** A wallet, and a thief who uses a device that opened it a day ago and does not open it now. */
async function setUpAttack(email: string, { hasKey = true } = {}) {
  const key = randomBytes(32)
  const first = {
    vault: randomBase64Url(60),
    wraps: [createWrap()],
    ...(hasKey && { proofKey: encode(ed25519.getPublicKey(key)) }),
  }
  const owner = await logInDevice(email)
  const set = await enrol(owner, createDraft(first))
  const young = await logInDevice(email)
  const own = await enrol(young, createDraft({ walletId: set.walletId }), hasKey ? key : undefined)
  later += 25 * hour
  return { key, set, own, owner: await logInDevice(email, owner), thief: await logInDevice(email, young) }
}

/** The actions that take the recovery data of the owner, as requests of a thief. */
async function actionsOf(
  client: LoginClient,
  { set, owner }: { set: ReturnType<typeof createDraft>; owner: LoginClient },
) {
  const next = createDraft({ walletId: set.walletId, epoch: 2, vault: randomBase64Url(60), wraps: [createWrap()] })
  expect(await post(client, 'sets', next)).toMatchObject({ status: 200 })
  const method = createWrap()
  const passkey = { id: randomBase64Url(16), publicKey: randomBase64Url(91) }
  const policyKey = randomBytes(32)
  const verifier = ed25519.getPublicKey(policyKey)
  const actions: readonly (readonly [string, object, ProvenAction])[] = [
    ['sets/remove', { setId: set.setId }, { purpose: 'remove', setId: decode(set.setId) }],
    ['deletion', {}, { purpose: 'delete' }],
    ['devices/remove', { key: owner.key }, { purpose: 'remove-device', key: owner.key }],
    ['ways', method, { purpose: 'method', method: { ...method, wrapped: decode(method.wrapped) } }],
    ['passkeys', passkey, { purpose: 'passkey', id: decode(passkey.id), publicKey: decode(passkey.publicKey) }],
    ['policy/write', createPolicyChange(policyKey, 1), { purpose: 'policy', verifier }],
    ['sets/commit', { setId: next.setId }, { purpose: 'epoch', setId: decode(next.setId) }],
  ]
  return actions
}

const sign = (client: LoginClient, action: ProvenAction, key: Uint8Array, url = services.sharesUrl) =>
  signShareStoreProof(client, { url, action, key })

const rowsOf = ({ user }: Device) =>
  database.run(`
    select epoch, encode(vault, 'hex') as vault, encode(share_wallet.proof_key, 'hex') as key, (select count(*) from share_set where user_id = '${user}' and live_at is not null) as sets,
      (select string_agg(encode(wrapped, 'hex'), ',' order by id) from share_wrap where user_id = '${user}' and live_at is not null) as wraps,
      (select count(*) from share_device where user_id = '${user}') as devices,
      (select count(*) from share_deletion where user_id = '${user}') as deletions,
      (select count(*) from share_policy where user_id = '${user}') as policies
    from share_wallet where user_id = '${user}'`)

describe('a thief with a device that the share store admitted a day ago', () => {
  test('can’t delete or replace recovery data, begin an epoch, or remove the owner’s device [C-08] [K-08]', async () => {
    const { set, owner, thief } = await setUpAttack('ann@example.org')
    const before = await rowsOf(owner)
    for (const [path, body] of await actionsOf(thief, { set, owner })) {
      expect(await post(thief, path, body)).toMatchObject(needsWallet)
    }
    expect(await rowsOf(owner)).toEqual(before)
    expect((await post(owner, 'sets/find', {})).status).toBe(200)
  })

  test('can’t use a proof of another key, challenge, device, action or service [C-08]', { tags: 'abuse' }, async () => {
    const { key, set, owner, thief } = await setUpAttack('ben@example.org')
    const before = await rowsOf(owner)
    const actions = await actionsOf(thief, { set, owner })
    for (const [path, body, action] of actions) {
      const of = (given: Parameters<typeof sign>[1], url?: string) => sign(thief, given, key, url)
      const valid = await of(action)
      const other = await sign(thief, action, randomBytes(32))
      const proofs: readonly object[] = [
        other,
        { ...other, publicKey: valid.publicKey },
        { ...valid, challenge: randomBase64Url(32) },
        await sign(owner, action, key),
        await of(action, services.authUrl),
        await of(action.purpose === 'delete' ? { purpose: 'epoch', setId: decode(set.setId) } : { purpose: 'delete' }),
        await of({ purpose: 'remove', setId: randomBytes(16) }),
      ]
      for (const proof of proofs) expect(await post(thief, path, { ...body, proof })).toMatchObject(needsWallet)
      expect(await post(thief, path, { ...body, proof: { ...valid, signature: randomBase64Url(63) } })).toMatchObject({
        status: 400,
      })
    }
    expect(await rowsOf(owner)).toEqual(before)
  })

  test('can’t replace the wallet’s key by an enrolment [C-08]', async () => {
    const { key, set, owner, thief } = await setUpAttack('cat@example.org')
    const mine = randomBytes(32)
    const draft = createDraft({ walletId: set.walletId, proofKey: encode(ed25519.getPublicKey(mine)) })
    expect(await post(thief, 'sets', draft)).toMatchObject({ status: 200 })
    const proofOfMine = await sign(thief, { purpose: 'epoch', setId: decode(draft.setId) }, mine)
    for (const given of [{}, { proof: proofOfMine }]) {
      expect(await post(thief, 'sets/commit', { setId: draft.setId, ...given })).toMatchObject(needsWallet)
    }
    await enrol(thief, draft, key)
    const action = { purpose: 'delete' } as const
    expect(await post(thief, 'deletion', { proof: await sign(thief, action, mine) })).toMatchObject(needsWallet)
    // The next epoch keeps the key, even if its enrolment brings another one.
    const next = createDraft({
      walletId: set.walletId,
      epoch: 2,
      vault: randomBase64Url(60),
      wraps: [createWrap()],
      proofKey: encode(ed25519.getPublicKey(mine)),
    })
    await post(owner, 'sets', next)
    const proof = await sign(owner, { purpose: 'epoch', setId: decode(next.setId) }, key)
    expect(await post(owner, 'sets/commit', { setId: next.setId, proof })).toMatchObject({ status: 200 })
    expect((await rowsOf(owner))[0]).toMatchObject({ key: Buffer.from(ed25519.getPublicKey(key)).toString('hex') })
  })

  test('records no key for a wallet that has none: its oldest device does [C-08]', async () => {
    const { key, set, owner, thief } = await setUpAttack('dan@example.org', { hasKey: false })
    const mine = randomBytes(32)
    const action = { purpose: 'delete' } as const
    for (const [path, body, each] of await actionsOf(thief, { set, owner })) {
      const proof = await sign(thief, each, mine)
      expect(await post(thief, path, { ...body, proof })).toMatchObject(needsWallet)
    }
    expect((await rowsOf(owner))[0]).toMatchObject({ key: null, deletions: 0 })
    expect(await post(owner, 'deletion', { proof: await sign(owner, action, key) })).toMatchObject({ status: 200 })
    expect(await post(thief, 'deletion', { proof: await sign(thief, action, mine) })).toMatchObject(needsWallet)
  })
})

test('the owner takes each action once with a proof of the wallet [C-08]', async () => {
  const { key, set, own, owner, thief } = await setUpAttack('eve@example.org')
  const removal = { purpose: 'remove', setId: decode(own.setId) } as const
  const actions = await actionsOf(owner, { set, owner: thief })
  const own2 = ['sets/remove', { setId: own.setId }, removal] as const
  for (const [path, body, action] of [
    own2,
    ...actions.filter(([each]) => !['sets/remove', 'passkeys'].includes(each)),
  ]) {
    const proof = await sign(owner, action, key)
    expect(await post(owner, path, { ...body, proof })).toMatchObject({ status: 200 })
    if (path === 'deletion') await post(owner, 'deletion/cancel', {})
    if (path === 'ways') expect(await post(owner, path, { ...body, proof })).toMatchObject(needsWallet)
  }
  expect((await rowsOf(owner))[0]).toMatchObject({ epoch: 2, devices: 1 })
})

test('a device removes itself, and every device removes a new one, without a proof [C-05]', async () => {
  const { key, own, thief, owner, set } = await setUpAttack('fay@example.org')
  expect(await post(thief, 'sets/remove', { setId: own.setId })).toMatchObject({ status: 200 })
  const young = await logInDevice('fay@example.org')
  const next = await enrol(young, createDraft({ walletId: set.walletId }), key)
  expect(await post(owner, 'sets/remove', { setId: next.setId })).toMatchObject({ status: 200 })
})
