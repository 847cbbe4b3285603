import { createHash, randomUUID } from 'node:crypto'
import type { LocalMail } from '@latchkey/devnet'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { systemClock, type Clock } from '../kit/runtime/clock.ts'

/** The response of a service. */
export type LoginResponse = { readonly status: number; readonly body: Record<string, unknown> }

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

/** A frame as services see it: a key, and the token of a session. */
export type LoginClient = {
  readonly key: string
  /** The keys for the client of the other service, its `twin`. */
  readonly pair: KeyPair
  /** Creates a proof for a request that the test sends itself. */
  prove(method: string, path: string): Promise<string>
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<LoginResponse>
  /** Uses the tokens of a response for the following requests. */
  use(accessToken: string): void
}

/**
 * Creates a client with a new key, which signs a proof for each request (DPoP).
 *
 * @example
 * const client = await createLoginClient(server.url)
 * await client.request('POST', '/auth/v1/codes', { email, projectId, origin })
 */
export async function createLoginClient(
  url: string,
  { twin, clock = systemClock }: { twin?: LoginClient; clock?: Clock } = {},
): Promise<LoginClient> {
  const pair = twin?.pair ?? (await generateKeyPair('ES256'))
  const { publicKey, privateKey } = pair
  const jwk = await exportJWK(publicKey)
  let token: string | undefined

  async function prove(method: string, htu: string): Promise<string> {
    const ath = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url')
    return new SignJWT({ jti: randomUUID(), htm: method, htu, iat: Math.floor(clock.now() / 1_000), ath })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .sign(privateKey)
  }

  return {
    pair,
    key: await calculateJwkThumbprint(jwk, 'sha256'),
    prove: (method, path) => prove(method, url + path),
    use(accessToken) {
      token = accessToken
    },
    async request(method, path, body) {
      const headers = {
        dpop: await prove(method, url + path),
        ...(token !== undefined && { authorization: `DPoP ${token}` }),
      }
      const sent = method === 'GET' ? { headers } : { method, headers, body: JSON.stringify(body) }
      const response = await fetch(url + path, sent)
      // Our own services respond with objects only.
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
  }
}

/**
 * Logs in with the code of a mail.
 *
 * @returns the client, which uses the new session, and the refresh token
 */
export async function logInByCode(
  url: string,
  mail: LocalMail,
  email: string,
): Promise<{ client: LoginClient; refreshToken: string }> {
  const client = await createLoginClient(url)
  const request = { email, projectId: 'ab'.repeat(16), origin: 'http://app.localhost' }
  const requested = await client.request('POST', '/auth/v1/codes', request)
  const code = /\b\d{6}\b/.exec((await mail.waitFor(email)).text)?.[0]
  const redeemed = await client.request('POST', '/auth/v1/codes/redeem', { id: requested.body['id'], email, code })
  const { tokens } = redeemed.body as { tokens: { accessToken: string; refreshToken: string } }
  client.use(tokens.accessToken)
  return { client, refreshToken: tokens.refreshToken }
}
