import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInProcessRateLimiters } from '../../kit/limits/rateLimiters.ts'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { createPolicyChange } from '../testing/createPolicyChange.ts'
import { signShareStoreProof } from '../testing/signShareStoreProof.ts'

const email = 'ann@example.org'
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const needsWallet = { status: 401, body: { reasons: [{ field: 'wallet' }] } }

let mail: LocalMail
let services: LoginServices
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  const rateLimiters = createInProcessRateLimiters({ now: () => Date.now() * 1_000 })
  const parts = { auth: { rateLimiters }, shares: { rateLimiters } }
  services = await startLoginServices({ mailUrl: mail.url, layout: 'split', clock, parts })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

async function mailFor(act: () => Promise<unknown>): Promise<string> {
  later += 181_000
  const before = mail.received()[0]?.id ?? 0
  await act()
  return (await mail.waitFor(email, before)).text
}

const post = (client: LoginClient, path: string, body: object) => client.request('POST', `/shares/v1/${path}`, body)

/** Logs a new device in and approves it by mail. */
async function logInDevice(): Promise<LoginClient> {
  const request = { email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }
  const auth = await createLoginClient(services.authUrl, { clock })
  const client = await createLoginClient(services.sharesUrl, { clock, twin: auth })
  let match: unknown
  const linked = await mailFor(async () => void ({ match } = (await post(client, 'links', request)).body))
  const link = new URL(/http:\/\/127\S+/.exec(linked)?.[0] ?? expect.fail('no link'))
  const form = new URLSearchParams({ ...Object.fromEntries(link.searchParams), match: String(match) })
  await fetch(link.origin + link.pathname, { method: 'POST', body: form })
  let id: unknown
  const mailed = await mailFor(async () => void ({ id } = (await auth.request('POST', '/auth/v1/codes', request)).body))
  const code = /\b\d{6}\b/.exec(mailed)?.[0]
  const { body } = await auth.request('POST', '/auth/v1/codes/redeem', { id, email, code })
  client.use((body as { tokens: { sharesToken: string } }).tokens.sharesToken)
  return client
}

async function createWallet(client: LoginClient, proofKey: string): Promise<void> {
  const set = { walletId: randomBase64Url(16), setId: randomBase64Url(16), epoch: 1, share: randomBase64Url(120) }
  const wraps = [{ id: 'auto', method: 'auto', wrapped: randomBase64Url(60), facts: '{}' }]
  const draft = { ...set, vault: randomBase64Url(60), wraps, proofKey }
  expect((await post(client, 'sets', draft)).status).toBe(200)
  expect((await post(client, 'sets/commit', { setId: draft.setId })).status).toBe(200)
}

test(
  'an approved device that can’t open the wallet pins no key of the policy, and the owner sets one [C-08] [L-04]',
  { tags: 'abuse' },
  async () => {
    const [wallet, policyKey, junkKey] = [randomBytes(32), randomBytes(32), randomBytes(32)]
    const owner = await logInDevice()
    await createWallet(owner, encode(ed25519.getPublicKey(wallet)))
    const thief = await logInDevice()
    const sign = (client: LoginClient, verifier: Uint8Array, key: Uint8Array) =>
      signShareStoreProof(client, { url: services.sharesUrl, action: { purpose: 'policy', verifier }, key })

    const junk = createPolicyChange(junkKey, 1)
    const verifier = ed25519.getPublicKey(policyKey)
    const proofs: readonly object[] = [
      {},
      { proof: await sign(thief, ed25519.getPublicKey(junkKey), randomBytes(32)) },
      // A signature for another key of the policy.
      { proof: await sign(thief, verifier, wallet) },
    ]
    for (const given of proofs)
      expect(await post(thief, 'policy/write', { ...junk, ...given })).toMatchObject(needsWallet)

    const proof = await sign(owner, verifier, wallet)
    expect(await post(owner, 'policy/write', { ...createPolicyChange(policyKey, 1), proof })).toMatchObject({
      status: 200,
    })
    // Later records need the pinned key only.
    expect(await post(owner, 'policy/write', createPolicyChange(policyKey, 2))).toMatchObject({ status: 200 })
    expect(await post(thief, 'policy/write', createPolicyChange(junkKey, 3))).toMatchObject({ status: 409 })
  },
)
