import { createPublicKey, generateKeyPair, randomBytes, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import type { Adapter, AdapterPayload, Configuration, interactionPolicy } from 'oidc-provider'
import { isOurCallback, readForm } from './answers.ts'
import { consentHeaders, consentPage } from './consentPage.ts'
import { readDecision, subjectOf, type Person } from './people.ts'

/** A provider that signs who somebody is (OpenID Connect). */
export type OpenIdProvider = {
  readonly issuer: string
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export type OpenIdOptions = {
  /** Where it is: the last part of the issuer's path, and of the callback's. */
  name: 'google' | 'apple' | 'facebook'
  title: string
  /** The origin that it is served from. */
  origin: string
  clientId: string
  /** A secret, or the key that its owner signs a new one with each time, as Apple has it. */
  secret: string | { publicKey: KeyObject; keyId: string; teamId: string }
  /** Which scopes bring which claims. */
  claims: Readonly<Record<string, readonly string[]>>
}

type Policies = typeof interactionPolicy

/** Sets up a provider under `/{name}/`; it knows everybody who says who he is. */
export async function createOpenIdProvider(options: OpenIdOptions): Promise<OpenIdProvider> {
  const { name, title, origin, clientId } = options
  const issuer = `${origin}/${name}`
  const people = new Map<string, Person>()
  // Large, and it says something about its runtime: nobody is to load it who starts no provider.
  const { Provider, interactionPolicy: policies } = await import('oidc-provider')
  const provider = new Provider(issuer, await configurationOf(options, people, policies))
  // The server's port is not known before it starts; its path is.
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
    const person = readDecision(await readForm(request))
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
      // What is mounted under a path looks for its own paths.
      Object.assign(request, { originalUrl: url, url: url.slice(name.length + 1) })
      // Whoever was here before is forgotten: the library would first ask him to log out, on a page of its own.
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
    adapter: memory(),
    clients: [
      {
        client_id: clientId,
        client_secret: typeof secret === 'string' ? secret : randomBytes(32).toString('base64url'),
        client_name: clientId,
        redirect_uris: [`http://127.0.0.1/auth/v1/social/${name}/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    // In the ID token, as the real ones have them.
    conformIdTokenClaims: false,
    claims: Object.fromEntries(Object.entries(claims).map(([scope, names]) => [scope, [...names]])),
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      // Three providers on one host keep apart.
      names: { interaction: `${name}_interaction`, resume: `${name}_resume`, session: `${name}_session` },
    },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, accountId) => {
      const person = people.get(accountId)
      if (person === undefined) return undefined
      const { name: called, email, verified } = person
      // Facebook does not say whether it has asked an address.
      const about = { name: called, email, ...(name !== 'facebook' && { email_verified: verified }) }
      return { accountId, claims: async () => ({ sub: accountId, ...about }) }
    },
    interactions: { url: (_context, { uid }) => `/${name}/interaction/${uid}`, policy: askAlways(policies) },
    jwks: { keys: [{ ...key, kid: `${name}-1`, use: 'sig', alg: 'RS256' }] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
  }
  return configuration
}

/** Whoever comes is asked who he is, each time: in the local world people change often. */
function askAlways({ base, Check }: Policies): interactionPolicy.DefaultPolicy {
  const policy = base()
  policy
    .get('login')
    ?.checks.add(
      new Check('always', 'Everybody is asked each time.', ({ oidc }) =>
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

/** Keeps what a provider has to remember until the world ends. */
function memory(): (model: string) => Adapter {
  const kept = new Map<string, AdapterPayload>()
  return (model) => {
    const keyOf = (id: string): string => `${model}:${id}`
    const findBy = (wanted: (payload: AdapterPayload) => boolean): AdapterPayload | undefined =>
      [...kept].find(([key, payload]) => key.startsWith(`${model}:`) && wanted(payload))?.[1]
    return {
      upsert: async (id, payload) => void kept.set(keyOf(id), payload),
      find: async (id) => kept.get(keyOf(id)),
      findByUid: async (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: async (userCode) => findBy((payload) => payload.userCode === userCode),
      consume: async (id) => {
        const payload = kept.get(keyOf(id))
        if (payload !== undefined) kept.set(keyOf(id), { ...payload, consumed: Math.floor(Date.now() / 1_000) })
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}

type Signer = { clientId: string; issuer: string; secret: { publicKey: KeyObject; keyId: string; teamId: string } }

/** Whether a secret is a token that the owner's key signed, for us and for now (as Apple asks it). */
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
