import { Type } from '@sinclair/typebox'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import { loginOver } from '../social/loginOver.ts'
import type { Projects } from '../../kit/http/projects.ts'
import { signInResponse, type SignIn } from '../social/signIn.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import type { FarcasterLogins } from './farcasterLogins.ts'

export type FarcasterEndpointsDependencies = {
  /** Undefined if the login is not configured. */
  logins: FarcasterLogins | undefined
  signIn: SignIn
  authenticator: Authenticator
  projects: Projects
}

/** The endpoints of the login with a Farcaster account. */
export function farcasterEndpoints({
  logins,
  signIn,
  authenticator,
  projects,
}: FarcasterEndpointsDependencies): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Login' } as const
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/farcaster/begin',
      summary:
        'Begins a login with a Farcaster account and returns the link that opens its application. The frame computes the nonce.',
      body: Type.Object({
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
        nonce: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
      response: Type.Object({ id: Type.String(), url: Type.String() }),
      example: {
        body: { projectId: 'ab'.repeat(16), origin: 'http://localhost', nonce: '00'.repeat(32) },
        status: 401,
      },
      async handle({ body: { projectId, origin, nonce }, raw }) {
        const key = await authenticator.authenticateKey(raw)
        assertAllowedOrigin(projects, projectId, origin)
        if (logins === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
        return logins.begin({ key, nonce })
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/farcaster/redeem',
      summary: 'Returns the result of a login with a Farcaster account: a session, once.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }) }),
      response: Type.Union([
        Type.Object({ state: Type.Literal('waiting') }),
        Type.Object({
          state: Type.Literal('done'),
          ...signInResponse,
          signed: Type.Object({ message: Type.String(), signature: Type.String() }),
        }),
      ]),
      example: { body: { id: '0' }, status: 401 },
      async handle({ body, raw }) {
        const key = await authenticator.authenticateKey(raw)
        const account = await logins?.redeem(body.id, key)
        if (logins === undefined) throw loginOver()
        if (account === undefined) return { state: 'waiting' } as const
        const { fid, userName, signed } = account
        const entered = await signIn({ provider: 'farcaster', subject: String(fid), userName }, { key, raw })
        return { state: 'done', ...entered, signed: { ...signed } } as const
      },
    }),
  ]
}
