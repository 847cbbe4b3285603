import { randomBytes } from 'node:crypto'
import { startMail, type LocalMail } from '@latchkey/devnet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLoginClient, type LoginClient } from '../../testing/loginClient.ts'
import { startLoginServices, type LoginServices } from '../../testing/loginServices.ts'
import type { SessionTokens } from './sessions.ts'

const origin = 'http://app.localhost'
const randomBase64Url = (count: number): string => randomBytes(count).toString('base64url')
const newDevice = { status: 403, body: { reasons: [{ field: 'deviceAge' }] } }

let mail: LocalMail
let services: LoginServices
let later = 0
const clock = { now: () => Date.now() + later }

beforeAll(async () => {
  mail = await startMail()
  services = await startLoginServices({ mailUrl: mail.url, clock })
})
afterAll(async () => {
  await services.close()
  await mail.close()
})

const post = (client: LoginClient, path: string, body: object = {}) => client.request('POST', `/auth/v1/${path}`, body)

async function logIn(email: string): Promise<LoginClient & { tokens: SessionTokens }> {
  later += 31_000
  const client = await createLoginClient(services.authUrl, { clock })
  const before = mail.received()[0]?.id ?? 0
  const { body } = await post(client, 'codes', { email, projectId: 'ab'.repeat(16), origin })
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email, before)).text)?.[0] ?? expect.fail('no code')
  const redeemed = await post(client, 'codes/redeem', { id: body['id'], email, code })
  const { tokens } = redeemed.body as { tokens: SessionTokens }
  client.use(tokens.accessToken)
  return { ...client, tokens }
}

/** An owner with a wallet, and the thief of one code, who never enrols. */
async function createPair(email: string) {
  const owner = await logIn(email)
  const setId = randomBase64Url(16)
  const share = { walletId: randomBase64Url(16), setId, epoch: 1, share: randomBase64Url(94) }
  await post(owner, 'shares', { ...share, accounts: [{ namespace: 'a', address: 'b' }], origin })
  expect(await post(owner, 'shares/commit', { setId })).toMatchObject({ status: 200 })
  return { owner, setId, thief: await logIn(email) }
}
const listKeys = async (client: LoginClient) =>
  ((await post(client, 'devices')).body['devices'] as { key: string; setId?: string }[]).map(({ key, setId }) => ({
    key,
    setId,
  }))
const isLoggedIn = async (client: LoginClient) => (await client.request('GET', '/auth/v1/user')).status === 200

describe('a device that only logged in', () => {
  test('is in the list of devices, and its end closes both tokens [A-25]', { tags: 'abuse' }, async () => {
    const { owner, setId, thief } = await createPair('listed@example.org')
    expect(await listKeys(owner)).toEqual([
      { key: owner.key, setId },
      { key: thief.key, setId: undefined },
    ])
    expect(await post(owner, 'sessions/end', { key: thief.key })).toMatchObject({ status: 200 })
    expect(await isLoggedIn(thief)).toBe(false)
    expect(await post(thief, 'tokens', { refreshToken: thief.tokens.refreshToken })).toMatchObject({ status: 401 })
    expect(await listKeys(owner)).toEqual([{ key: owner.key, setId }])
    expect(await isLoggedIn(owner)).toBe(true)
    // Idempotent, also for a key that never logged in.
    for (const key of [thief.key, 'unknown']) {
      expect(await post(owner, 'sessions/end', { key })).toMatchObject({ status: 200 })
    }
  })

  test('is signed out together with all other devices [A-25]', async () => {
    const { owner, thief } = await createPair('everywhere@example.org')
    const tablet = await logIn('everywhere@example.org')
    expect(await post(owner, 'sessions/end-others')).toMatchObject({ status: 200 })
    expect([await isLoggedIn(owner), await isLoggedIn(thief), await isLoggedIn(tablet)]).toEqual([true, false, false])
  })

  test('logs the owner out neither alone nor with all others [A-25] [C-05]', { tags: 'abuse' }, async () => {
    const { owner, thief } = await createPair('kept@example.org')
    expect(await post(thief, 'sessions/end', { key: owner.key })).toMatchObject(newDevice)
    expect(await post(thief, 'sessions/end-others')).toMatchObject(newDevice)
    expect(await isLoggedIn(owner)).toBe(true)
  })
})
