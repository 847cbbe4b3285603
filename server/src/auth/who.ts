import type { IncomingMessage } from 'node:http'
import { Problem } from '../kit/problem.ts'
import type { Access, AccessTokens } from './accessTokens.ts'
import type { Proofs } from './proof.ts'

/** Finds out who makes a request: by the proof of a key, and for most by the token of a session. */
export type Who = {
  /** The key alone, for who is not logged in. @throws Problem 401 `proof` */
  key(request: IncomingMessage): Promise<string>
  /** @throws Problem 401 `proof`, `token` */
  user(request: IncomingMessage): Promise<Access>
}

/**
 * @param url where the service is reached, for requests name the address that they were made for
 */
export function createWho({
  proofs,
  tokens,
  url,
}: {
  proofs: Proofs
  tokens: Pick<AccessTokens, 'verify'>
  url(): string
}): Who {
  const prove = (request: IncomingMessage, accessToken?: string): Promise<string> => {
    const { dpop } = request.headers
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const target = { method: request.method ?? '', url: url() + path, accessToken }
    return proofs.verify(typeof dpop === 'string' ? dpop : undefined, target)
  }
  return {
    key: (request) => prove(request, tokenOf(request)),
    async user(request) {
      const token = tokenOf(request)
      if (token === undefined) throw new Problem(401, 'token', 'Log in first.')
      return tokens.verify(token, await prove(request, token))
    },
  }
}

function tokenOf({ headers }: IncomingMessage): string | undefined {
  const [scheme, token] = (headers.authorization ?? '').split(' ', 2)
  return scheme === 'DPoP' ? token : undefined
}
