import { Type } from '@sinclair/typebox'
import { defineEndpoint, type Endpoint } from '../../kit/http/defineEndpoint.ts'
import { Problem } from '../../kit/http/problem.ts'
import type { Projects } from '../../kit/http/projects.ts'
import { assertAllowedOrigin } from '../../custody/requests/assertAllowedOrigin.ts'
import type { Places } from '../../custody/requests/source/places.ts'
import { requestSource } from '../../custody/requests/source/requestSource.ts'
import { base64urlSchema, parseBase64url } from '../../custody/requests/parseBase64url.ts'
import type { Authenticator } from '../../custody/requests/authenticator.ts'
import { callbackPath } from './serveCallbacks.ts'
import type { SocialClient } from '../../custody/identity/socialClient.ts'
import { signInResponse, type SignIn } from './signIn.ts'
import { socialProviders, type SocialProvider } from '../../custody/identity/socialProviders.ts'
import type { SocialLogins } from './socialLogins.ts'

export type SocialEndpointsDependencies = {
  clients: ReadonlyMap<SocialProvider, Pick<SocialClient, 'begin'>>
  logins: Pick<SocialLogins, 'begin' | 'redeem'>
  signIn: SignIn
  authenticator: Pick<Authenticator, 'authenticateKey'>
  projects: Projects
  places: Places
  trustedProxies: number
  url(): string
}

const nonce = base64urlSchema(32)
const common = { method: 'POST', group: 'Login' } as const
const exampleNonce = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** The endpoints of the login at an identity provider. */
export function socialEndpoints(dependencies: SocialEndpointsDependencies): readonly Endpoint[] {
  return [beginEndpoint(dependencies), redeemEndpoint(dependencies)]
}

function beginEndpoint(dependencies: SocialEndpointsDependencies): Endpoint {
  const { clients, logins, authenticator, projects, places, trustedProxies, url } = dependencies
  return defineEndpoint({
    ...common,
    path: '/auth/v1/social/begin',
    summary: 'Begins a login at a provider. The frame computes the nonce, so that the response is bound to its key.',
    body: Type.Object({
      provider: Type.Enum(
        Object.fromEntries(socialProviders.map((name) => [name, name])) as { [name in SocialProvider]: name },
      ),
      projectId: Type.String({ maxLength: 64 }),
      origin: Type.String({ maxLength: 256 }),
      nonce,
      next: Type.Optional(Type.Object({ uri: Type.String({ maxLength: 8_192 }), always: Type.Boolean() })),
    }),
    response: Type.Object({ id: Type.String(), uri: Type.String(), match: Type.String() }),
    example: {
      body: { provider: 'google', projectId: 'ab'.repeat(16), origin: 'http://localhost', nonce: exampleNonce },
      status: 401,
    },
    async handle({ body: { provider, projectId, origin, nonce: frameNonce, next }, raw }) {
      const key = await authenticator.authenticateKey(raw)
      const shownOrigin = assertAllowedOrigin(projects, projectId, origin)
      const client = clients.get(provider)
      if (client === undefined) throw new Problem(400, 'provider', 'This login is not set up here.')
      parseBase64url(frameNonce, 'nonce', 32)
      const { browser, client: address } = requestSource(raw, trustedProxies)
      const source = { browser, place: places.find(address), client: address }
      const requested = { provider, key, origin: shownOrigin, nonce: frameNonce, ...source, next }
      const { id, match, ...secrets } = await logins.begin(requested)
      const login = { ...secrets, nonce: frameNonce, redirectUri: url() + callbackPath(provider) }
      const uri = await reachProvider(() => client.begin(login))
      if (next !== undefined) assertSameEndpoint(next.uri, uri)
      return { id, match, uri: uri.href }
    },
  })
}

function redeemEndpoint({ logins, signIn, authenticator }: SocialEndpointsDependencies): Endpoint {
  return defineEndpoint({
    ...common,
    path: '/auth/v1/social/redeem',
    summary: 'Returns the result of a login at a provider: a session, once.',
    body: Type.Object({
      id: Type.String({ maxLength: 36 }),
      /** The secret of the callback page, if the page handed it over. */
      secret: Type.Optional(base64urlSchema(32)),
    }),
    response: Type.Union([
      Type.Object({ state: Type.Literal('waiting') }),
      Type.Object({ state: Type.Literal('done'), continues: Type.Boolean(), ...signInResponse }),
    ]),
    example: { body: { id: '0' }, status: 401 },
    async handle({ body, raw }) {
      const key = await authenticator.authenticateKey(raw)
      const redeemed = await logins.redeem(body.id, key, body.secret)
      if (redeemed === undefined) return { state: 'waiting' } as const
      const { account, continues } = redeemed
      return { state: 'done', continues, ...(await signIn(account, { key, raw })) } as const
    },
  })
}

/**
 * The window may go on to another login at the same provider, and nowhere else.
 *
 * @throws Problem 400 `next`
 */
function assertSameEndpoint(next: string, { origin, pathname }: URL): void {
  const other = URL.canParse(next) ? new URL(next) : undefined
  if (other?.origin === origin && other.pathname === pathname) return
  throw new Problem(400, 'next', 'The next login is not at this provider.')
}

async function reachProvider<result>(request: () => Promise<result>): Promise<result> {
  try {
    return await request()
  } catch (cause) {
    throw new Problem(502, 'provider', 'The provider can’t be reached. Try again in a moment, or log in another way.', {
      cause,
    })
  }
}
