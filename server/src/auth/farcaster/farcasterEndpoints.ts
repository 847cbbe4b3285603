import { Type } from '@sinclair/typebox'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Projects } from '../../kit/projects.ts'
import { enteredAnswer, type Enter } from '../social/enter.ts'
import type { Who } from '../who.ts'
import type { FarcasterLogins } from './farcasterLogins.ts'

export type FarcasterEndpointsParts = {
  /** Undefined where it is not set up. */
  logins: FarcasterLogins | undefined
  enter: Enter
  who: Who
  projects: Projects
}

/** The endpoints by which a frame logs in with a Farcaster account. */
export function farcasterEndpoints({ logins, enter, who, projects }: FarcasterEndpointsParts): readonly Endpoint[] {
  const common = { method: 'POST', group: 'Login' } as const
  return [
    endpoint({
      ...common,
      path: '/auth/v1/farcaster/begin',
      summary: 'Begins a login with a Farcaster account: the link is for its application. The frame makes the nonce.',
      body: Type.Object({
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
        nonce: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
      answer: Type.Object({ id: Type.String(), url: Type.String() }),
      example: {
        body: { projectId: 'ab'.repeat(16), origin: 'http://localhost', nonce: '00'.repeat(32) },
        status: 401,
      },
      async handle({ body: { projectId, origin, nonce }, raw }) {
        const key = await who.key(raw)
        if (projects.check(projectId, origin) !== 'ok') {
          throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
        }
        if (logins === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
        return logins.begin({ key, nonce })
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/farcaster/redeem',
      summary: 'Fetches what came of a login with a Farcaster account: a session, once.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }) }),
      answer: Type.Union([
        Type.Object({ state: Type.Literal('waiting') }),
        Type.Object({
          state: Type.Literal('done'),
          ...enteredAnswer,
          signed: Type.Object({ message: Type.String(), signature: Type.String() }),
        }),
      ]),
      example: { body: { id: '0' }, status: 401 },
      async handle({ body, raw }) {
        const key = await who.key(raw)
        const person = await logins?.redeem(body.id, key)
        if (logins === undefined) throw new Problem(404, 'id', 'This login is over. Begin again.')
        if (person === undefined) return { state: 'waiting' } as const
        const { fid, userName, signed } = person
        const entered = await enter({ provider: 'farcaster', subject: String(fid), userName }, { key, raw })
        return { state: 'done', ...entered, signed: { ...signed } } as const
      },
    }),
  ]
}
