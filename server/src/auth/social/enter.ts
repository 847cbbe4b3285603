import type { IncomingMessage } from 'node:http'
import type { Static } from '@sinclair/typebox'
import type { Deletions } from '../account/deletions.ts'
import type { Audit } from '../audit.ts'
import type { AuthShares } from '../authShares.ts'
import { tellUser, tokensAnswer, userAnswer } from '../loginRoutes.ts'
import type { Sessions } from '../sessions.ts'
import type { Users } from '../users.ts'
import type { Identities, Identity } from './identities.ts'

/** The answer's form, as the endpoints say it. */
export const enteredAnswer = { tokens: tokensAnswer, user: userAnswer }

/** What a frame is told of who entered. */
export type Entered = { tokens: Static<typeof tokensAnswer>; user: Static<typeof userAnswer> }

/** Lets in whom somebody else vouched for: begins a session of the user that belongs to the account. */
export type Enter = (identity: Identity, frame: { key: string; raw: IncomingMessage }) => Promise<Entered>

export type EnterParts = {
  identities: Identities
  users: Users
  sessions: Sessions
  shares: AuthShares
  deletions: Pick<Deletions, 'at'>
  audit: Audit
}

export function createEnter(parts: EnterParts): Enter {
  const { identities, users, sessions, audit } = parts
  return async (identity, { key, raw }) => {
    const user = await identities.userOf(identity)
    await users.rememberKey(user, key)
    await audit.note('login', { user, key, raw, about: identity.provider })
    const tokens = await sessions.begin({ user, key, methods: [identity.provider] })
    return { tokens: { ...tokens }, user: await tellUser(parts, user) }
  }
}
