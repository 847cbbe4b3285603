import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createAuthenticator } from './authenticator.ts'
import type { DpopProofs, ProvenRequest } from './dpopProofs.ts'
import type { AccessClaims } from './verifyAccessToken.ts'

const claims: AccessClaims = { user: 'ann', key: 'laptop', methods: ['email'], session: 's', begunAt: 0 }

/** An authenticator whose proofs and tokens are all accepted, and what it verified. */
function openAuthenticator() {
  const verified: unknown[] = []
  const proofs: DpopProofs = {
    async verify(proof, request: ProvenRequest) {
      verified.push({ proof, request })
      return 'laptop'
    },
    async verifyWith(proof, request, check) {
      verified.push({ proof, request })
      return check('laptop')
    },
    async sweep() {},
  }
  const authenticator = createAuthenticator({
    proofs,
    async verifyToken(token, key) {
      verified.push({ token, key })
      return claims
    },
    url: () => 'https://auth.example',
  })
  return { authenticator, verified }
}

function requestWith(headers: IncomingMessage['headers'], members: { url?: string; method?: string } = {}) {
  const request = new IncomingMessage(new Socket())
  return Object.assign(request, { method: 'POST', url: '/auth/v1/shares?at=1?2', ...members, headers })
}

const request = { method: 'POST', url: 'https://auth.example/auth/v1/shares' }

test('a user is authenticated by the token and the proof of the key that it is bound to', async () => {
  const { authenticator, verified } = openAuthenticator()
  expect(await authenticator.authenticateUser(requestWith({ authorization: 'DPoP token', dpop: 'proof' }))).toBe(claims)
  expect(verified).toEqual([
    { proof: 'proof', request: { ...request, accessToken: 'token' } },
    { token: 'token', key: 'laptop' },
  ])
})

test.each([undefined, 'Bearer token', 'dpop token', 'DPoP', ''])(
  'a user is not authenticated with the authorization %j',
  async (authorization) => {
    const { authenticator, verified } = openAuthenticator()
    await expect(authenticator.authenticateUser(requestWith({ authorization, dpop: 'proof' }))).rejects.toMatchObject({
      status: 401,
      field: 'token',
    })
    expect(verified).toEqual([])
  },
)

test('a key is authenticated with or without a token, which its proof must cover', async () => {
  const { authenticator, verified } = openAuthenticator()
  expect(await authenticator.authenticateKey(requestWith({ dpop: 'proof' }))).toBe('laptop')
  await authenticator.authenticateKey(requestWith({ dpop: 'proof', authorization: 'DPoP token' }))
  expect(verified).toEqual([
    { proof: 'proof', request: { ...request, accessToken: undefined } },
    { proof: 'proof', request: { ...request, accessToken: 'token' } },
  ])
})

test('several proofs, or none, count as a missing proof', async () => {
  const { authenticator, verified } = openAuthenticator()
  await authenticator.authenticateKey(requestWith({ dpop: ['one', 'two'] }))
  await authenticator.authenticateKey(requestWith({}))
  expect(verified).toMatchObject([{ proof: undefined }, { proof: undefined }])
})
