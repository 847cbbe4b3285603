import { Type } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { sessionStatePath } from '../../custody/requests/remoteSessions.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { describeUser, userResponse, type UserSources } from '../login/describeUser.ts'
import type { AccessTokens } from './accessTokens.ts'
import type { Sessions } from './sessions.ts'

export type SessionEndpointsDependencies = UserSources & {
  sessions: Sessions
  tokens: AccessTokens
  authenticator: Authenticator
  auditLog: AuditLog
}

/** The response schema of a session's tokens. */
export const tokensResponse = Type.Object({
  accessToken: Type.String(),
  sharesToken: Type.String(),
  refreshToken: Type.String(),
  expiresAt: Type.Integer(),
})

const tokenText = Type.String({ maxLength: 128 })
const group = 'Login'
const refused = { status: 401 }

/** The endpoints of sessions and of the keys that sign access tokens. */
export function sessionEndpoints(dependencies: SessionEndpointsDependencies): readonly Endpoint[] {
  const { tokens, authenticator } = dependencies
  return [
    ...refreshTokenEndpoints(dependencies),
    defineEndpoint({
      method: 'GET',
      path: '/auth/v1/user',
      group,
      summary: 'Returns the logged-in user.',
      response: userResponse,
      example: refused,
      handle: async ({ raw }) => describeUser(dependencies, (await authenticator.authenticateUser(raw)).user),
    }),
    defineEndpoint({
      method: 'GET',
      path: '/auth/v1/keys',
      group,
      summary: 'Returns the public keys that verify access tokens (RFC 7517).',
      response: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.String())) }),
      cache: 'public, max-age=600',
      example: {},
      isPublic: true,
      handle: () => ({ keys: tokens.publicKeys().keys.map((key) => ({ ...key })) as Record<string, string>[] }),
    }),
  ]
}

/**
 * The endpoint for the state of a session. The share store calls it from one address for all users, so its rate limit is
 * another one.
 */
export function sessionStateEndpoint({ sessions }: Pick<SessionEndpointsDependencies, 'sessions'>): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: sessionStatePath,
    group,
    summary:
      'Returns whether a session is active. The share store asks it for each request, so that sessions end at once.',
    body: Type.Object({ session: Type.String({ maxLength: 36 }) }),
    response: Type.Object({ active: Type.Boolean() }),
    example: { body: { session: '0' } },
    handle: async ({ body }) => ({ active: await sessions.isActive(body.session) }),
  })
}

function refreshTokenEndpoints(dependencies: SessionEndpointsDependencies): readonly Endpoint[] {
  const { sessions, authenticator, auditLog } = dependencies
  const common = {
    method: 'POST',
    group,
    body: Type.Object({ refreshToken: tokenText }),
    example: { body: { refreshToken: '0' }, ...refused },
  } as const
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/tokens',
      summary: 'Exchanges the refresh token of a session for new tokens.',
      response: tokensResponse,
      async handle({ body, raw }) {
        const key = await authenticator.authenticateKey(raw)
        const next = await sessions.refresh(body.refreshToken, key).catch(async (error) => {
          await auditLog.record('token refused', { key, raw })
          throw error
        })
        return { ...next }
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/tokens/end',
      summary: 'Ends a session.',
      response: Type.Object({}),
      async handle({ body, raw }) {
        await authenticator.authenticateKey(raw)
        await sessions.end(body.refreshToken)
        return {}
      },
    }),
  ]
}
