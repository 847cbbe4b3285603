import { Type } from '@sinclair/typebox'
import { clientAddress } from '../../kit/clientAddress.ts'
import { endpoint, type Endpoint } from '../../kit/endpoint.ts'
import { Problem } from '../../kit/problem.ts'
import type { Projects } from '../../kit/projects.ts'
import { browserOf } from '../browserOf.ts'
import { bytesSchema, readBytes } from '../bytes.ts'
import type { Who } from '../who.ts'
import { callbackPath } from './callback.ts'
import type { SocialClient } from './client.ts'
import { enteredAnswer, type Enter } from './enter.ts'
import { socialNames, type SocialName } from './providers.ts'
import type { SocialLogins } from './socialLogins.ts'

export type SocialEndpointsParts = {
  clients: ReadonlyMap<SocialName, SocialClient>
  logins: SocialLogins
  enter: Enter
  who: Who
  projects: Projects
  trustedProxies: number
  url(): string
}

const nonce = bytesSchema(32)
const one = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** The endpoints by which a frame logs in at a provider. */
export function socialEndpoints(parts: SocialEndpointsParts): readonly Endpoint[] {
  const { clients, logins, enter, who, projects, trustedProxies, url } = parts
  const common = { method: 'POST', group: 'Login' } as const
  return [
    endpoint({
      ...common,
      path: '/auth/v1/social/begin',
      summary: 'Begins a login at a provider. The frame makes the nonce, so that the answer can be for no other key.',
      body: Type.Object({
        provider: Type.Enum(
          Object.fromEntries(socialNames.map((name) => [name, name])) as { [name in SocialName]: name },
        ),
        projectId: Type.String({ maxLength: 64 }),
        origin: Type.String({ maxLength: 256 }),
        nonce,
      }),
      answer: Type.Object({ id: Type.String(), uri: Type.String(), match: Type.String() }),
      example: {
        body: { provider: 'google', projectId: 'ab'.repeat(16), origin: 'http://localhost', nonce: one },
        status: 401,
      },
      async handle({ body: { provider, projectId, origin, nonce: made }, raw }) {
        const key = await who.key(raw)
        if (projects.check(projectId, origin) !== 'ok') {
          throw new Problem(403, 'origin', 'This origin is not allowed for the project.')
        }
        const client = clients.get(provider)
        if (client === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
        readBytes(made, 'nonce', 32)
        const place = { client: clientAddress(raw, trustedProxies), browser: browserOf(raw.headers['user-agent']) }
        const { id, match, ...secrets } = await logins.begin({ provider, key, origin, nonce: made, ...place })
        const login = { ...secrets, nonce: made, redirectUri: url() + callbackPath(provider) }
        return { id, match, uri: (await reach(() => client.begin(login))).href }
      },
    }),
    endpoint({
      ...common,
      path: '/auth/v1/social/redeem',
      summary: 'Fetches what came of a login at a provider: a session, once.',
      body: Type.Object({ id: Type.String({ maxLength: 36 }) }),
      answer: Type.Union([
        Type.Object({ state: Type.Literal('waiting') }),
        Type.Object({ state: Type.Literal('done'), ...enteredAnswer, idToken: Type.Optional(Type.String()) }),
      ]),
      example: { body: { id: '0' }, status: 401 },
      async handle({ body, raw }) {
        const key = await who.key(raw)
        const person = await logins.redeem(body.id, key)
        if (person === undefined) return { state: 'waiting' } as const
        const { idToken } = person
        return {
          state: 'done',
          ...(await enter(person, { key, raw })),
          ...(idToken !== undefined && { idToken }),
        } as const
      },
    }),
  ]
}

async function reach<found>(ask: () => Promise<found>): Promise<found> {
  try {
    return await ask()
  } catch (cause) {
    throw new Problem(502, 'provider', 'The provider does not answer. Try again in a moment, or log in another way.', {
      cause,
    })
  }
}
