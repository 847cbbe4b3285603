import type { IncomingMessage } from 'node:http'
import { describeBrowser } from '../../custody/requests/source/describeBrowser.ts'
import type { Static } from '@sinclair/typebox'
import type { AuditLog } from '../../custody/auditLog.ts'
import { describeUser, userResponse, type UserSources } from '../login/describeUser.ts'
import type { Users } from '../login/users.ts'
import { tokensResponse } from '../sessions/sessionEndpoints.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { Identities, Identity } from './identities.ts'

/** The response schema of a completed login. */
export const signInResponse = { tokens: tokensResponse, user: userResponse }

export type SignInResult = { tokens: Static<typeof tokensResponse>; user: Static<typeof userResponse> }

/** Begins a session of the user that an identity belongs to. */
export type SignIn = (identity: Identity, frame: { key: string; raw: IncomingMessage }) => Promise<SignInResult>

export type SignInDependencies = UserSources & {
  identities: Pick<Identities, 'findOrCreateUser'>
  users: Pick<Users, 'recordDevice'>
  sessions: Pick<Sessions, 'begin'>
  auditLog: Pick<AuditLog, 'record'>
}

export function createSignIn(dependencies: SignInDependencies): SignIn {
  const { identities, users, sessions, auditLog } = dependencies
  return async (identity, { key, raw }) => {
    const user = await identities.findOrCreateUser(identity)
    const [tokens, description] = await Promise.all([
      sessions.begin({ user, key, methods: [identity.provider] }, describeBrowser(raw.headers['user-agent'])),
      describeUser(dependencies, user),
      users.recordDevice(user, key),
      auditLog.record('login', { user, key, raw, about: identity.provider }),
    ])
    return { tokens: { ...tokens }, user: description }
  }
}
