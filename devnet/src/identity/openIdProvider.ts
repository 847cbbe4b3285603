import { createPublicKey, generateKeyPair, randomBytes, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import type { Adapter, AdapterPayload, Configuration, interactionPolicy } from 'oidc-provider'
import { isOurCallback, parseForm } from './sendJson.ts'
import { consentHeaders, consentPage } from './consentPage.ts'
import { readDecision, subjectOf, type Person } from './people.ts'

/** An OpenID Connect provider, which signs ID tokens. */
export type OpenIdProvider = {
  readonly issuer: string
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export type OpenIdOptions = {
  /** The last path segment of the issuer and of the callback. */
  name: 'google' | 'apple' | 'facebook'
  title: string
  /** The origin of the provider. */
  origin: string
  clientId: string
  /** A client secret, or the key that signs a new one each time, as Apple requires. */
  secret: string | { publicKey: KeyObject; keyId: string; teamId: string }
  /** The claims of each scope. */
  claims: Readonly<Record<string, readonly string[]>>
}

type Policies = typeof interactionPolicy

/** Creates a provider under `/{name}/`. It accepts every person that the consent page names. */
export async function createOpenIdProvider(options: OpenIdOptions): Promise<OpenIdProvider> {
  const { name, title, origin, clientId } = options
  const issuer = `${origin}/${name}`
  const people = new Map<string, Person>()
  // Large, and it prints a warning about the runtime: loaded only when a provider starts.
  const { Provider, interactionPolicy: policies } = await import('oidc-provider')
  const provider = new Provider(issuer, await configurationOf(options, people, policies))
  // The server's port is unknown before it starts, but the path is known.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => isOurCallback(uri, name)
  const { secret } = options
  if (typeof secret !== 'string') {
    provider.Client.prototype.compareClientSecret = async (given: string) =>
      isSigned(given, { clientId, issuer, secret })
  }
  const callback = provider.callback()

  async function decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    if (request.method !== 'POST') {
      response.writeHead(200, consentHeaders)
      response.end(consentPage({ provider: title, client: clientId, scope: String(params['scope']) }))
      return
    }
    const person = readDecision(await parseForm(request))
    if (person === undefined) {
      const refusal = { error: 'access_denied', error_description: 'The person did not allow it.' }
      return provider.interactionFinished(request, response, refusal, { mergeWithLastSubmission: false })
    }
    const accountId = subjectOf(name, person)
    people.set(accountId, person)
    const grant = new provider.Grant({ accountId, clientId })
    grant.addOIDCScope(String(params['scope']))
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId, remember: false }, consent })
  }

  return {
    issuer,
    async handle(request, response) {
      const url = request.url ?? ''
      if (new URL(url, origin).pathname.startsWith(`/${name}/interaction/`)) return decide(request, response)
      // The mounted provider expects paths relative to its own.
      Object.assign(request, { originalUrl: url, url: url.slice(name.length + 1) })
      // Forgets the previous person: the library would first show a logout page.
      request.headers.cookie = withoutSession(name, request.headers.cookie)
      await callback(request, response)
    },
  }
}

async function configurationOf(options: OpenIdOptions, people: Map<string, Person>, policies: Policies) {
  const { name, clientId, secret, claims } = options
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const key: JsonWebKey = privateKey.export({ format: 'jwk' })
  const configuration: Configuration = {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: typeof secret === 'string' ? secret : randomBytes(32).toString('base64url'),
        client_name: clientId,
        redirect_uris: [`http://127.0.0.1/auth/v1/social/${name}/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    // In the ID token, as the public providers do it.
    conformIdTokenClaims: false,
    claims: Object.fromEntries(Object.entries(claims).map(([scope, names]) => [scope, [...names]])),
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // Keeps the cookies of three providers on one host apart.
      names: { interaction: `${name}_interaction`, resume: `${name}_resume`, session: `${name}_session` },
    },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => {
      const person = people.get(accountId)
      if (person === undefined) return undefined
      const { name: called, email, verified } = person
      // Facebook does not state whether it verified an address.
      const about = { name: called, email, ...(name !== 'facebook' && { email_verified: verified }) }
      return { accountId, claims: async () => ({ sub: accountId, ...about }) }
    },
    interactions: { url: (_context, { uid }) => `/${name}/interaction/${uid}`, policy: requireConsent(policies) },
    jwks: { keys: [{ ...key, kid: `${name}-1`, use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
  }
  return configuration
}

/** Asks for the person at each login: the local world switches people often. */
function requireConsent({ base, Check }: Policies): interactionPolicy.DefaultPolicy {
  const policy = base()
  policy
    .get('login')
    ?.checks.add(
      new Check('always', 'Every user is asked each time.', ({ oidc }) =>
        oidc.result?.login === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    )
  return policy
}

function withoutSession(name: string, cookies = ''): string {
  return cookies
    .split('; ')
    .filter((cookie) => !cookie.startsWith(`${name}_session`))
    .join('; ')
}

/** Stores the provider's state until the world ends. */
function createMemoryAdapter(): (model: string) => Adapter {
  const stored = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string): string => `${model}:${id}`
    const findBy = (wanted: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...stored].find(([key, payload]) => key.startsWith(`${model}:`) && wanted(payload))?.[1]
    return {
      upsert: async (id, payload) => void stored.set(keyOf(id), payload),
      find: async (id) => stored.get(keyOf(id)),
      findByUid: async (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findBy((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = stored.get(keyOf(id))
        if (payload !== undefined) stored.set(keyOf(id), { ...payload, consumed: Math.floor(Date.now() / 1_000) })
      },
      destroy: async (id) => void stored.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of stored) if (payload.grantId === grantId) stored.delete(key)
      },
    }
  }
}

type Signer = { clientId: string; issuer: string; secret: { publicKey: KeyObject; keyId: string; teamId: string } }

/** True if a client secret is a valid token, signed with the owner's key for this provider (as Apple requires). */
function isSigned(given: string, { clientId, issuer, secret }: Signer): boolean {
  const [head = '', body = '', signature = ''] = given.split('.')
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
  try {
    const key = createPublicKey(secret.publicKey.export({ type: 'spki', format: 'pem' }))
    const bytes = Buffer.from(signature, 'base64url')
    const isGood = verify('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }, bytes)
    const { alg, kid, iss, sub, aud, exp } = Object.assign({}, read(head), read(body)) as Record<string, unknown>
    const isOurs = alg === 'ES256' && kid === secret.keyId && iss === secret.teamId && sub === clientId
    return isGood && isOurs && aud === issuer && typeof exp === 'number' && exp * 1_000 > Date.now()
  } catch {
    return false
  }
}
