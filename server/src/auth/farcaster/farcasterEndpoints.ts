import { Type } from '@sinclair/typebox'
import type { FarcasterLogins } from '../../custody/identity/farcasterLogins.ts'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { base64urlSchema } from '../../custody/requests/parseBase64url.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'
import { signInResponse, type SignIn } from '../social/signIn.ts'

export type FarcasterEndpointsDependencies = {
  /** Undefined if the login is not configured. */
  logins: FarcasterLogins | undefined
  signIn: SignIn
  authenticator: Authenticator
  projects: Projects
}

const challenge = base64urlSchema(32)
const exampleBytes = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const displayableName = /^[a-z0-9][a-z0-9.-]{0,63}$/

/** The endpoints of the login with a Farcaster account. The frame opens the channel to the application itself, at a relay. */
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
      summary: 'Returns a challenge. The nonce of the message that the Farcaster account signs commits to it.',
      body: Type.Object({ projectId: Type.String({ maxLength: 64 }), origin: Type.String({ maxLength: 256 }) }),
      response: Type.Object({ challenge: Type.String() }),
      example: { body: { projectId: 'ab'.repeat(16), origin: 'http://localhost' }, status: 401 },
      async handle({ body: { projectId, origin }, raw }) {
        const key = await authenticator.authenticateKey(raw)
        assertAllowedOrigin(projects, projectId, origin)
        if (logins === undefined) throw createNotConfiguredProblem()
        return { challenge: await logins.begin(key) }
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/farcaster/redeem',
      summary: 'Begins a session for a message that a Farcaster account signed, once.',
      body: Type.Object({
        challenge,
        sharesChallenge: challenge,
        message: Type.String({ maxLength: 4_096 }),
        signature: Type.String({ maxLength: 8_192, pattern: '^0x([0-9a-fA-F]{2})+$' }),
        // As the application reports it. It is shown to its own user only.
        userName: Type.Optional(Type.String({ maxLength: 256 })),
      }),
      response: Type.Object(signInResponse),
      example: {
        body: { challenge: exampleBytes, sharesChallenge: exampleBytes, message: '', signature: '0x00' },
        status: 401,
      },
      async handle({ body: { challenge: authChallenge, userName = '', ...login }, raw }) {
        const key = await authenticator.authenticateKey(raw)
        if (logins === undefined) throw createNotConfiguredProblem()
        const { fid } = await logins.verify({ ...login, key, authChallenge })
        const name = displayableName.test(userName) ? userName : String(fid)
        return signIn({ provider: 'farcaster', subject: String(fid), userName: name }, { key, raw })
      },
    }),
  ]
}

function createNotConfiguredProblem(): Problem {
  return new Problem(400, 'provider', 'This login is not set up here.')
}
