import { Type, type Static } from '@sinclair/typebox'
import { Problem } from '../../kit/http/problem.ts'
import type { Deletions } from '../account/deletions.ts'
import type { AuthShares } from '../keyShares/authShares.ts'
import type { Identities } from '../social/identities.ts'
import type { Users } from './users.ts'

/** The response schema of the logged-in user. */
export const userResponse = Type.Object({
  id: Type.String(),
  email: Type.Optional(Type.String()),
  /** The identity provider, and the user's name there. */
  social: Type.Optional(Type.String()),
  userName: Type.Optional(Type.String()),
  /** Absent before there is a wallet. */
  accounts: Type.Optional(Type.Array(Type.Object({ namespace: Type.String(), address: Type.String() }))),
  /** The time of a scheduled deletion, in milliseconds since the epoch. */
  deletionAt: Type.Optional(Type.Integer()),
})

/** The sources of the description of a user. */
export type UserSources = {
  users: Pick<Users, 'find'>
  shares: Pick<AuthShares, 'listAccounts'>
  deletions: Pick<Deletions, 'scheduledAt'>
  identities: Pick<Identities, 'find'>
}

/**
 * Describes a user for the frame.
 *
 * @throws Problem 401 `token` if the user has been deleted
 */
export async function describeUser(sources: UserSources, id: string): Promise<Static<typeof userResponse>> {
  const [user, accounts, deletionAt, identity] = await Promise.all([
    sources.users.find(id),
    sources.shares.listAccounts(id),
    sources.deletions.scheduledAt(id),
    sources.identities.find(id),
  ])
  if (user === undefined) throw new Problem(401, 'token', 'This user no longer exists. Log in again.')
  return {
    ...user,
    social: identity?.provider,
    userName: identity?.userName,
    accounts: accounts && [...accounts],
    deletionAt,
  }
}
