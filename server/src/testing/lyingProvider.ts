import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose'

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

/** The parts of a forged ID token. */
export type TokenForge = {
  /** The claims of an honest provider. */
  readonly claims: JWTPayload
  /** Signs as an honest provider does, with its key `one`. */
  sign(claims: JWTPayload, header?: object): Promise<string>
  /** A key that the provider does not name. */
  readonly stranger: Key
  readonly strangerKid: string
  /** The provider's public key as a string, which a faulty client would accept as a shared secret. */
  readonly publicPem: string
}

/** A provider that signs any claims, to find the checks that a client omits. */
export type LyingProvider = {
  readonly issuer: string
  /** The number of requests to its token endpoint and for its keys. */
  readonly requested: { tokens: number; keys: number }
  /** The ID token of a login. */
  token(nonce: string): Promise<string>
  /** Sets the next ID token, which is honest by default. */
  lie(make: (forge: TokenForge) => Promise<string> | string): void
  /** The ids of the keys that it publishes. It signs with `one`. */
  name(keys: (one: JWK) => readonly JWK[]): void
  close(): Promise<void>
}

export type LyingProviderOptions = {
  clientId: string
  /** True if it announces that its responses name the issuer (RFC 9207). */
  namesItself?: boolean
  now(): number
}

/** Values that come with each ID token. */
export const accessToken = 'the-access-token'

/** @example const provider = await startLyingProvider({ clientId: 'latchkey', now: Date.now }) */
export async function startLyingProvider(options: LyingProviderOptions): Promise<LyingProvider> {
  const { clientId, namesItself = false, now } = options
  const { one, ...forge } = await createForge()
  const requested = { tokens: 0, keys: 0 }
  let named: readonly JWK[] = [one]
  let make: (forge: TokenForge) => Promise<string> | string = ({ sign, claims }) => sign(claims)
  let issuer = ''

  const token = async (nonce: string): Promise<string> =>
    make({ ...forge, claims: createHonestClaims({ issuer, clientId, nonce, now: now() }) })

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (path === '/.well-known/openid-configuration') return send(response, createDiscovery(issuer, namesItself))
    if (path === '/keys') {
      requested.keys += 1
      return send(response, { keys: named })
    }
    requested.tokens += 1
    let body = ''
    for await (const chunk of request) body += String(chunk)
    // The code carries the claims of the token, because only the test requests one.
    const nonce = new URLSearchParams(body).get('code') ?? ''
    const about = { access_token: accessToken, token_type: 'Bearer', expires_in: 600 }
    send(response, { ...about, id_token: await token(nonce) })
  }

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this form.
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    requested,
    token,
    lie: (next) => void (make = next),
    name: (keys) => void (named = keys(one)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Creates the keys of an honest provider and of a stranger. `one` is the public key of the provider. */
async function createForge(): Promise<Omit<TokenForge, 'claims'> & { one: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const other = await generateKeyPair('RS256')
  return {
    one: { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' },
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(privateKey),
    stranger: other.privateKey,
    strangerKid: 'two',
    publicPem: await exportSPKI(publicKey),
  }
}

/** @param token.now in milliseconds */
function createHonestClaims(token: { issuer: string; clientId: string; nonce: string; now: number }): JWTPayload {
  const at = Math.floor(token.now / 1_000)
  return {
    iss: token.issuer,
    aud: token.clientId,
    sub: 'somebody',
    nonce: token.nonce,
    iat: at,
    exp: at + 600,
    email: 'a@example.org',
  }
}

/** Creates the metadata of OpenID Connect Discovery. */
function createDiscovery(issuer: string, namesItself: boolean): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    authorization_response_iss_parameter_supported: namesItself,
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  }
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
