import { Type } from '@sinclair/typebox'
import type { AuthShares } from '../authShares.ts'
import type { Sessions, SessionTokens } from '../sessions.ts'
import type { Users } from '../users.ts'
import type { Identities, Identity } from './identities.ts'

/** What a frame is told of who entered. */
export type Entered = {
  tokens: SessionTokens
  user: {
    id: string
    social: string
    email?: string
    userName?: string
    accounts?: { namespace: string; address: string }[]
  }
}

/** Lets in whom somebody else vouched for: begins a session of the user that belongs to the account. */
export type Enter = (identity: Identity, key: string) => Promise<Entered>

/** The answer's form, as the endpoints say it. */
export const enteredAnswer = {
  tokens: Type.Object({ accessToken: Type.String(), refreshToken: Type.String(), expiresAt: Type.Integer() }),
  user: Type.Object({
    id: Type.String(),
    social: Type.String(),
    email: Type.Optional(Type.String()),
    userName: Type.Optional(Type.String()),
    /** Absent before there is a wallet. */
    accounts: Type.Optional(Type.Array(Type.Object({ namespace: Type.String(), address: Type.String() }))),
  }),
}

export type EnterParts = { identities: Identities; users: Users; sessions: Sessions; shares: AuthShares }

export function createEnter({ identities, users, sessions, shares }: EnterParts): Enter {
  return async (identity, key) => {
    const id = await identities.userOf(identity)
    await users.rememberKey(id, key)
    const [tokens, user, accounts] = await Promise.all([
      sessions.begin({ user: id, key, methods: [identity.provider] }),
      users.find(id),
      shares.accounts(id),
    ])
    const { provider, userName } = identity
    return {
      tokens,
      user: {
        id,
        social: provider,
        ...(user?.email !== undefined && { email: user.email }),
        ...(userName !== undefined && { userName }),
        ...(accounts !== undefined && { accounts: [...accounts] }),
      },
    }
  }
}
