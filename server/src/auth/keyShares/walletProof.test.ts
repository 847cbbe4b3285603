import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import { openStolenDatabase, type DatabaseThief } from '../../testing/thief.ts'
import { walletProofBytes } from './verifyWalletProof.ts'

const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const privateKey = randomBytes(32)
const address = base58.encode(ed25519.getPublicKey(privateKey))
const accounts = [
  { namespace: 'eip155', address: '0xab' },
  { namespace: 'solana', address },
]
const createDraft = (given: object = {}) => ({
  walletId: randomBase64Url(16),
  setId: randomBase64Url(16),
  epoch: 1,
  share: randomBase64Url(94),
  ...given,
})

let mail: LocalMail
let services: LoginServices
let database: DatabaseThief
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, clock })
  database = await openStolenDatabase(services.authDatabaseUrl)
})
afterAll(async () => {
  await database.leave()
  await services.close()
  await mail.close()
})

async function logIn(email: string): Promise<LoginClient & { user: string }> {
  later += 31_000
  const client = await createLoginClient(services.authUrl, { clock })
  const before = mail.received()[0]?.id ?? 0
  const request = { email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }
  const { body } = await client.request('POST', '/auth/v1/codes', request)
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email, before)).text)?.[0] ?? expect.fail('no code')
  const redeemed = await client.request('POST', '/auth/v1/codes/redeem', { id: body['id'], email, code })
  const { tokens, user } = redeemed.body as { tokens: { accessToken: string }; user: { id: string } }
  client.use(tokens.accessToken)
  return { ...client, user: user.id }
}

const post = (client: LoginClient, path: string, body: object) => client.request('POST', `/auth/v1/${path}`, body)
const challengeFor = async (client: LoginClient): Promise<string> =>
  String((await post(client, 'passkeys/challenge', {})).body['challenge'])
const sign = (challenge: string, key: Uint8Array = privateKey): string =>
  Buffer.from(ed25519.sign(Uint8Array.from(walletProofBytes(Buffer.from(challenge, 'base64url'))), key)).toString(
    'base64url',
  )
const failuresOf = async ({ user }: { user: string }) =>
  (await database.run(`select failures from auth_oprf where user_id = '${user}'`))[0]?.['failures']

async function enrol(client: LoginClient, set = createDraft()): Promise<ReturnType<typeof createDraft>> {
  expect(await post(client, 'shares', { ...set, accounts })).toMatchObject({ status: 200 })
  expect(await post(client, 'shares/commit', { setId: set.setId })).toMatchObject({ status: 200 })
  return set
}

/** A wallet whose owner has failed 99 times. */
async function createOwner(email: string) {
  const client = await logIn(email)
  const set = await enrol(client)
  await database.run(`insert into auth_oprf (user_id, failures, paused_until) values ('${client.user}', 99, 0)`)
  return { client, set }
}

describe('the count of failed passwords', () => {
  test('is not reset by a device that commits a share of random bytes [D-04]', async () => {
    const email = 'ann@example.org'
    const { client, set } = await createOwner(email)
    const thief = await logIn(email)
    await enrol(thief, createDraft({ walletId: set.walletId }))
    await post(thief, 'shares/commit', { setId: set.setId })
    expect(await failuresOf(client)).toBe(99)
    await post(client, 'oprf', { blinded: randomBase64Url(32) })
    expect(await post(client, 'oprf', { blinded: randomBase64Url(32) })).toMatchObject({ status: 429 })
  })

  test('is reset by a signature of the wallet over a challenge of the service [D-04]', async () => {
    const { client } = await createOwner('ben@example.org')
    const challenge = await challengeFor(client)
    const proof = { challenge, signature: sign(challenge) }
    expect(await post(client, 'shares/prove', proof)).toMatchObject({ status: 200 })
    expect(await failuresOf(client)).toBe(0)
  })

  test('is not reset by a proof that is repeated, old, of another session or of another key [D-04]', async () => {
    const { client } = await createOwner('cat@example.org')
    const refused = { status: 401, body: { reasons: [{ field: 'wallet' }] } }
    const challenge = await challengeFor(client)
    const proof = { challenge, signature: sign(challenge) }
    await post(client, 'shares/prove', proof)
    await database.run(`update auth_oprf set failures = 99 where user_id = '${client.user}'`)
    expect(await post(client, 'shares/prove', proof)).toMatchObject(refused)

    const other = await challengeFor(client)
    expect(
      await post(client, 'shares/prove', { challenge: other, signature: sign(other, randomBytes(32)) }),
    ).toMatchObject(refused)
    const unsigned = await challengeFor(client)
    expect(await post(client, 'shares/prove', { challenge: unsigned, signature: sign(challenge) })).toMatchObject(
      refused,
    )
    const own = randomBase64Url(32)
    expect(await post(client, 'shares/prove', { challenge: own, signature: sign(own) })).toMatchObject(refused)

    const second = await logIn('cat@example.org')
    const foreign = await challengeFor(second)
    expect(await post(client, 'shares/prove', { challenge: foreign, signature: sign(foreign) })).toMatchObject(refused)
    const old = await challengeFor(client)
    later += 5 * 60_000
    expect(await post(client, 'shares/prove', { challenge: old, signature: sign(old) })).toMatchObject(refused)
    expect(await failuresOf(client)).toBe(99)
  })

  test('is not reset for a wallet whose accounts a later enrolment names differently [D-04]', async () => {
    const email = 'dan@example.org'
    const { client, set } = await createOwner(email)
    const thief = await logIn(email)
    const key = randomBytes(32)
    const forged = [{ namespace: 'solana', address: base58.encode(ed25519.getPublicKey(key)) }]
    const second = createDraft({ walletId: set.walletId })
    await post(thief, 'shares', { ...second, accounts: forged })
    await post(thief, 'shares/commit', { setId: second.setId })
    const challenge = await challengeFor(thief)
    expect(await post(thief, 'shares/prove', { challenge, signature: sign(challenge, key) })).toMatchObject({
      status: 401,
    })
    expect(await failuresOf(client)).toBe(99)
  })
})
