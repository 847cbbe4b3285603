import { createHttp } from '../../kit/http/createHttp.ts'
import { mountEndpoints, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { createProjects } from '../../kit/http/projects.ts'
import type { Authenticator } from '../requests/authenticator.ts'
import type { AccessClaims } from '../requests/verifyAccessToken.ts'

/** Endpoints without the service around them. */
export type TestEndpoints = {
  /**
   * Sends a request from `192.168.0.7` with Firefox on Linux.
   *
   * @param claims those of the session; `null` for a request without a proof and a token
   */
  post(path: string, body: object, claims?: Partial<AccessClaims> | null, headers?: object): Promise<TestResponse>
  close(): Promise<void>
}

export type TestResponse = { readonly status: number; readonly body: Record<string, unknown> }

/** The session of a request that names no other claims. */
const testClaims: AccessClaims = { user: 'ann', key: 'laptop', methods: ['email'], session: 's', begunAt: 0 }

/** Believes the claims in a header of the request. */
export const testAuthenticator: Authenticator = {
  authenticateKey: async ({ headers }) => readClaims(headers['x-claims'], 'proof').key,
  authenticateUser: async ({ headers }) => readClaims(headers['x-claims'], 'token'),
}

function readClaims(header: unknown, field: string): AccessClaims {
  if (typeof header !== 'string') throw new Problem(401, field, 'Log in first.')
  return JSON.parse(header)
}

/** Returns the part of a refusal that tests compare. */
export const createRefusal = (status: number, field: string) => ({ status, body: { reasons: [{ field }] } })

/** Mounts endpoints that use `testAuthenticator`, behind one trusted proxy. */
export async function mountTestEndpoints(endpoints: readonly Endpoint[]): Promise<TestEndpoints> {
  const app = await createHttp({ logLevel: 'silent', projects: createProjects('any') })
  mountEndpoints(app, endpoints, () => undefined)
  return {
    async post(url, body, claims = {}, given = {}) {
      const headers = {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
        'x-forwarded-for': '192.0.2.1, 192.168.0.7',
        ...(claims !== null && { 'x-claims': JSON.stringify({ ...testClaims, ...claims }) }),
        ...given,
      }
      const response = await app.inject({ method: 'POST', url, body, headers })
      return { status: response.statusCode, body: response.json() }
    },
    close: () => app.close(),
  }
}
