import { importPKCS8, SignJWT } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  Configuration,
  None,
  type ClientAuth,
} from 'openid-client'
import type { Clock } from '../../kit/clock.ts'
import { verifyIdToken } from './idToken.ts'
import { createMetadata, isPlain, patience } from './metadata.ts'
import { personOf, readPerson, type Person } from './person.ts'
import { dialects, signsTokens, type SocialName, type SocialSettings } from './providers.ts'
import { createRemoteKeys } from '../remoteKeys.ts'

/** What one login is known by. */
export type LoginSecrets = {
  readonly state: string
  readonly nonce: string
  /** Of PKCE (RFC 7636). */
  readonly verifier: string
  readonly redirectUri: string
}

/** One provider, as we speak with it. */
export type SocialClient = {
  /** The address of the provider's page. */
  begin(login: LoginSecrets): Promise<URL>
  /**
   * Trades the provider's answer for who it was.
   *
   * @param answer the parameters that came back
   * @throws AuthorizationResponseError (of openid-client) when it was not allowed there; Error for everything else
   */
  finish(answer: URLSearchParams, login: LoginSecrets): Promise<Person>
}

/** Sets up a provider; nothing is asked of it before somebody logs in. */
export function createSocialClient(name: SocialName, settings: SocialSettings, clock: Clock): SocialClient {
  const dialect = dialects[name]
  const metadata = createMetadata(name, settings, clock)
  const keys = createRemoteKeys(async () => (await metadata()).jwks_uri, clock)
  const userUrl = settings.userUrl ?? dialect.userUrl
  const emailsUrl = settings.emailsUrl ?? (settings.userUrl === undefined ? dialect.emailsUrl : undefined)

  async function configure(): Promise<Configuration> {
    const server = await metadata()
    const times = { [clockSkew]: Math.round((clock.now() - Date.now()) / 1_000), [clockTolerance]: 60 }
    const config = new Configuration(server, settings.clientId, times, await authentication(name, settings, clock))
    config.timeout = patience
    if ([server.authorization_endpoint, server.token_endpoint, userUrl].some(isPlain)) allowInsecureRequests(config)
    return config
  }

  return {
    async begin({ state, nonce, verifier, redirectUri }) {
      return buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: dialect.scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(signsTokens(name) && { nonce }),
        ...(dialect.responseMode !== undefined && { response_mode: dialect.responseMode }),
      })
    },
    async finish(answer, { state, nonce, verifier, redirectUri }) {
      const config = await configure()
      const url = new URL(redirectUri)
      url.search = answer.toString()
      const tokens = await authorizationCodeGrant(config, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(signsTokens(name) && { expectedNonce: nonce, idTokenExpected: true }),
      })
      const { id_token: idToken, access_token: accessToken } = tokens
      if (!signsTokens(name)) return readPerson(name, { config, accessToken, userUrl, emailsUrl })
      if (idToken === undefined) throw new Error('The provider sent no ID token.')
      const { issuer } = config.serverMetadata()
      const checks = { issuer, clientId: settings.clientId, nonce, accessToken, keys, clock }
      return { ...personOf(name, await verifyIdToken(idToken, checks)), idToken }
    },
  }
}

async function authentication(name: SocialName, settings: SocialSettings, clock: Clock): Promise<ClientAuth> {
  const secret = settings.clientSecret ?? (await signedSecret(settings, clock))
  if (secret === undefined) return None()
  return dialects[name].secretIn === 'header' ? plainBasic(settings.clientId, secret) : ClientSecretPost(secret)
}

/** As X documents it: the library's own would write `-` and `_` as `%2D` and `%5F`, which not everybody reads. */
function plainBasic(clientId: string, secret: string): ClientAuth {
  const credentials = Buffer.from(`${clientId}:${secret}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}

/** Apple's secret: a token of five minutes, signed by the key of the team. */
async function signedSecret(settings: SocialSettings, clock: Clock): Promise<string | undefined> {
  const { clientId, teamId, keyId, privateKey, issuer = dialects.apple.issuer } = settings
  if (teamId === undefined || keyId === undefined || privateKey === undefined) return undefined
  const now = Math.floor(clock.now() / 1_000)
  return new SignJWT({})
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(now)
    .setExpirationTime(now + 300)
    .setAudience(issuer)
    .setSubject(clientId)
    .sign(await importPKCS8(privateKey, 'ES256'))
}
