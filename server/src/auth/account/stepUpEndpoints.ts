import { Type } from '@sinclair/typebox'
import { describeBrowser } from '../../custody/requests/source/describeBrowser.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { requestSource } from '../../custody/requests/source/requestSource.ts'
import { isStepUpMethod, stepUpMethod } from '../../custody/requests/riskChecks.ts'
import type { AccessClaims } from '../../custody/requests/verifyAccessToken.ts'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'
import type { Codes } from '../login/codes.ts'
import type { Users } from '../login/users.ts'
import { tokensResponse } from '../sessions/sessionEndpoints.ts'
import type { Sessions } from '../sessions/sessions.ts'

export type StepUpEndpointsDependencies = {
  authenticator: Authenticator
  users: Pick<Users, 'find' | 'hasMailbox'>
  codes: Pick<Codes, 'send' | 'redeem'>
  sessions: Pick<Sessions, 'begin'>
  projects: Projects
  trustedProxies: number
}

/** The actions that a code confirms. The mail names the action, and the code is accepted for no other one. */
const action = Type.Enum({ export: 'export', delete: 'delete' })
const common = { method: 'POST', group: 'Account' } as const
const refused = { status: 401 }

/** The endpoints that renew a login with a one-time code, for actions that need a fresh login. */
export function stepUpEndpoints(dependencies: StepUpEndpointsDependencies): readonly Endpoint[] {
  const { authenticator, users, codes, sessions, projects, trustedProxies } = dependencies
  async function getEmail(user: string): Promise<string> {
    const { email } = (await users.find(user)) ?? {}
    if (email !== undefined && (await users.hasMailbox(user))) return email
    throw new Problem(401, 'mailbox', 'This login has no address for a code. Log in again the way you did.')
  }
  return [
    defineEndpoint({
      ...common,
      path: '/auth/v1/stepup',
      summary: 'Sends a one-time code for one action to the user’s address.',
      body: Type.Object({ origin: Type.String({ maxLength: 256 }), action }),
      response: Type.Object({ id: Type.String() }),
      example: { body: { origin: 'http://localhost', action: 'export' }, ...refused },
      async handle({ body, raw }) {
        const { user, key } = await authenticator.authenticateUser(raw)
        const origin = assertKnownOrigin(projects, body.origin)
        const { client, browser, locale } = requestSource(raw, trustedProxies)
        const email = await getEmail(user)
        const requester = { origin, browser, locale }
        return codes.send({ email, purpose: `step-up-${body.action}`, key, project: 'step-up', client, requester })
      },
    }),
    defineEndpoint({
      ...common,
      path: '/auth/v1/stepup/redeem',
      summary: 'Redeems that code and begins a session that is fresh for this action.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }), code: Type.String({ maxLength: 12 }), action }),
      response: tokensResponse,
      example: { body: { id: '0', code: '123456', action: 'export' }, ...refused },
      async handle({ body: { action: confirmed, ...code }, raw }) {
        const claims = await authenticator.authenticateUser(raw)
        const { user, key } = claims
        await codes.redeem({ ...code, email: await getEmail(user), purpose: `step-up-${confirmed}`, key })
        const browser = describeBrowser(raw.headers['user-agent'])
        return {
          ...(await sessions.begin(
            { user, key, methods: [...addMethod(claims, 'email'), stepUpMethod(confirmed)] },
            browser,
          )),
        }
      },
    }),
  ]
}

/**
 * Returns the authentication methods of a fresh session. An earlier passkey verification does not count as fresh, so it is
 * left out, and so is an earlier code for an action.
 */
export function addMethod({ methods }: AccessClaims, method: 'email' | 'passkey'): readonly string[] {
  return [...new Set([...methods.filter((each) => each !== 'passkey' && !isStepUpMethod(each)), method])]
}

/** The mail names it, so the caller can't choose it freely. */
function assertKnownOrigin(projects: Projects, origin: string): string {
  const shown = projects.findOwnOrEmbedder(origin)
  if (shown !== undefined) return shown
  throw new Problem(
    400,
    'origin',
    'This origin is not allowed. If it is the wallet’s own page, set FRAME_URL at the auth service.',
  )
}
