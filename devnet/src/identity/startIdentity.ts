import { generateKeyPairSync } from 'node:crypto'
import { openSite } from '../sites/sites.ts'
import { sendJson } from './sendJson.ts'
import { createOpenIdProvider, type OpenIdProvider } from './openIdProvider.ts'
import { createOAuthProvider } from './oauthProvider.ts'
import { standIns } from './standIns.ts'

/** The identity providers of the local world. */
export type LocalIdentity = {
  readonly url: string
  /** The value of `SOCIALS` for a server: endpoints, client ids and client secrets of each provider. */
  readonly socials: Readonly<Record<string, Readonly<Record<string, string>>>>
  close(): Promise<void>
}

const clientId = 'latchkey-local'

/**
 * Starts the identity providers: real OpenID providers for google, apple and facebook, and stand-ins for github, x and
 * discord that respond like the public ones. Each asks for the person and lets the user deny the login.
 *
 * @example
 * const identity = await startIdentity()
 * startServer({ SOCIALS: JSON.stringify(identity.socials) })
 */
export async function startIdentity({ port = 0 }: { port?: number } = {}): Promise<LocalIdentity> {
  const site = await openSite(port)
  const origin = site.url
  const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const team = { teamId: 'LOCALTEAM1', keyId: 'LOCALKEY01' }
  const email = ['email', 'email_verified']
  const common = { origin, clientId }
  await loadQuietly()
  const signing: readonly OpenIdProvider[] = await Promise.all([
    createOpenIdProvider({
      ...common,
      name: 'google',
      title: 'Google',
      secret: 'google-secret',
      claims: { openid: ['sub'], email, profile: ['name'] },
    }),
    createOpenIdProvider({
      ...common,
      name: 'apple',
      title: 'Apple',
      secret: { publicKey: apple.publicKey, ...team },
      claims: { openid: ['sub'], email, name: [] },
    }),
    createOpenIdProvider({
      ...common,
      name: 'facebook',
      title: 'Facebook',
      secret: 'facebook-secret',
      claims: { openid: ['sub'], email: ['email'], public_profile: ['name'] },
    }),
  ])
  const others = standIns.map((standIn) =>
    createOAuthProvider({ standIn, origin, clientId, clientSecret: `${standIn.name}-secret` }),
  )
  const handlers = new Map([
    ...signing.map(({ issuer, handle }) => [new URL(issuer).pathname, handle] as const),
    ...others.map(({ name, handle }) => [`/${name}`, handle] as const),
  ])

  site.respond((request, response) => {
    const folder = `/${(request.url ?? '').split('/', 2)[1] ?? ''}`
    const handle = handlers.get(folder)
    if (handle === undefined) return sendJson(response, 404, { error: 'not_found' })
    handle(request, response).catch(() => {
      if (!response.headersSent) sendJson(response, 400, { error: 'invalid_request' })
    })
  })

  const privateKey = String(apple.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return {
    url: origin,
    socials: {
      google: { clientId, clientSecret: 'google-secret', issuer: `${origin}/google` },
      apple: { clientId, ...team, privateKey, issuer: `${origin}/apple` },
      facebook: { clientId, clientSecret: 'facebook-secret', issuer: `${origin}/facebook` },
      ...Object.fromEntries(others.map(({ name, settings }) => [name, settings])),
    },
    close: site.close,
  }
}

/**
 * Suppresses a warning of the library, which asks for a later Node.js while it loads. Nothing here uses those features.
 */
async function loadQuietly(): Promise<void> {
  const { warn } = console
  console.warn = () => undefined
  try {
    await import('oidc-provider')
  } finally {
    console.warn = warn
  }
}
