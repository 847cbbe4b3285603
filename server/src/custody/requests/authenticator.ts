import type { IncomingMessage } from 'node:http'
import { Problem } from '../../kit/http/problem.ts'
import type { DpopProofs, ProvenRequest } from './dpopProofs.ts'
import type { AccessClaims } from './verifyAccessToken.ts'

/** Authenticates requests by the proof of a key, and by the access token of a session where one is needed. */
export type Authenticator = {
  /**
   * Authenticates the key alone, for requests before the login.
   *
   * @returns the JWK thumbprint of the key (RFC 7638)
   * @throws Problem 401 `proof`
   */
  authenticateKey(request: IncomingMessage): Promise<string>
  /** @throws Problem 401 `proof`, `token` */
  authenticateUser(request: IncomingMessage): Promise<AccessClaims>
}

export type AuthenticatorOptions = {
  proofs: DpopProofs
  /** @throws Problem 401 `token` */
  verifyToken(token: string, key: string): Promise<AccessClaims>
  /** The base URL of the service. A proof names the URL that it was made for. */
  url(): string
}

/** Creates the authenticator of a service. */
export function createAuthenticator({ proofs, verifyToken, url }: AuthenticatorOptions): Authenticator {
  const proven = (request: IncomingMessage, accessToken?: string): readonly [string | undefined, ProvenRequest] => {
    const { dpop } = request.headers
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const target = { method: request.method ?? '', url: url() + path, accessToken }
    return [typeof dpop === 'string' ? dpop : undefined, target]
  }
  return {
    authenticateKey: (request) => proofs.verify(...proven(request, findAccessToken(request))),
    async authenticateUser(request) {
      const token = findAccessToken(request)
      if (token === undefined) throw new Problem(401, 'token', 'Log in first.')
      return proofs.verifyWith(...proven(request, token), (key) => verifyToken(token, key))
    },
  }
}

function findAccessToken({ headers }: IncomingMessage): string | undefined {
  const [scheme, token] = (headers.authorization ?? '').split(' ', 2)
  return scheme === 'DPoP' ? token : undefined
}
