import { Type } from '@sinclair/typebox'
import { userStatePath } from '../../custody/requests/remoteUsers.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import type { Users } from './users.ts'

/**
 * The endpoint for the existence of a user. The share store moves a wallet to another user id only if the previous one is gone. Ids are
 * random, so they reveal no address.
 */
export function userStateEndpoint({ users }: { users: Pick<Users, 'exists'> }): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: userStatePath,
    group: 'Login',
    summary: 'Returns whether a user exists. The share store asks it before it moves a wallet to a new user id.',
    body: Type.Object({ user: Type.String({ maxLength: 36 }) }),
    response: Type.Object({ exists: Type.Boolean() }),
    example: { body: { user: '0' } },
    handle: async ({ body }) => ({ exists: await users.exists(body.user) }),
  })
}
