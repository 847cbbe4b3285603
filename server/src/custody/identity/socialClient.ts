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
import type { Clock } from '../../kit/runtime/clock.ts'
import { verifyIdToken } from './verifyIdToken.ts'
import { createProviderMetadata, isUnencrypted, providerTimeoutSeconds } from './providerMetadata.ts'
import { accountFromClaims, fetchProviderAccount, type ProviderAccount } from './providerAccount.ts'
import {
  providerDefaults,
  isOidcProvider,
  socialProviders,
  type SocialProvider,
  type SocialSettings,
  type Socials,
} from './socialProviders.ts'
import { createRemoteKeySet } from '../requests/remoteKeySet.ts'

/** The secrets of one login. */
export type LoginSecrets = {
  readonly state: string
  readonly nonce: string
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string
  readonly redirectUri: string
}

/** The client of one provider. */
export type SocialClient = {
  /** @returns the address of the provider's login page */
  begin(login: LoginSecrets): Promise<URL>
  /**
   * Exchanges the provider's response for the user's account.
   *
   * @param response the parameters of the redirect
   * @throws AuthorizationResponseError (of openid-client) if the user declined; Error for every other fault
   */
  finish(response: URLSearchParams, login: LoginSecrets): Promise<ProviderAccount>
}

/** Creates the client of a provider. Nothing is requested before the first login. */
function createSocialClient(name: SocialProvider, settings: SocialSettings, clock: Clock): SocialClient {
  const defaults = providerDefaults[name]
  const metadata = createProviderMetadata(name, settings, clock)
  const keys = createRemoteKeySet(async () => (await metadata()).jwks_uri, clock)
  const userUrl = settings.userUrl ?? defaults.userUrl
  const emailsUrl = settings.emailsUrl ?? (settings.userUrl === undefined ? defaults.emailsUrl : undefined)

  async function configure(): Promise<Configuration> {
    const server = await metadata()
    const times = { [clockSkew]: Math.round((clock.now() - Date.now()) / 1_000), [clockTolerance]: 60 }
    const config = new Configuration(server, settings.clientId, times, await getClientAuth(name, settings, clock))
    config.timeout = providerTimeoutSeconds
    if ([server.authorization_endpoint, server.token_endpoint, userUrl].some(isUnencrypted))
      allowInsecureRequests(config)
    return config
  }

  return {
    async begin({ state, nonce, verifier, redirectUri }) {
      return buildAuthorizationUrl(await configure(), {
        redirect_uri: redirectUri,
        scope: defaults.scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isOidcProvider(name) && { nonce }),
        ...(defaults.responseMode !== undefined && { response_mode: defaults.responseMode }),
      })
    },
    async finish(response, { state, nonce, verifier, redirectUri }) {
      const config = await configure()
      const url = new URL(redirectUri)
      url.search = response.toString()
      const tokens = await authorizationCodeGrant(config, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
        ...(isOidcProvider(name) && { expectedNonce: nonce, idTokenExpected: true }),
      })
      const { id_token: idToken, access_token: accessToken } = tokens
      if (!isOidcProvider(name)) return fetchProviderAccount(name, { config, accessToken, userUrl, emailsUrl })
      if (idToken === undefined) throw new Error('The provider sent no ID token.')
      const { issuer } = config.serverMetadata()
      const checks = { issuer, clientId: settings.clientId, nonce, accessToken, keys, clock }
      return accountFromClaims(name, await verifyIdToken(idToken, checks))
    },
  }
}

/** Creates the clients of the configured providers. */
export function createSocialClients(socials: Socials, clock: Clock): ReadonlyMap<SocialProvider, SocialClient> {
  const clients = new Map<SocialProvider, SocialClient>()
  for (const name of socialProviders) {
    const settings = socials[name]
    if (settings !== undefined) clients.set(name, createSocialClient(name, settings, clock))
  }
  return clients
}

async function getClientAuth(name: SocialProvider, settings: SocialSettings, clock: Clock): Promise<ClientAuth> {
  const secret = settings.clientSecret ?? (await signClientSecret(settings, clock))
  if (secret === undefined) return None()
  return providerDefaults[name].secretIn === 'header'
    ? unencodedBasicAuth(settings.clientId, secret)
    : ClientSecretPost(secret)
}

/** HTTP Basic as X documents it. The library's own would encode `-` and `_` as `%2D` and `%5F`, which X does not decode. */
function unencodedBasicAuth(clientId: string, secret: string): ClientAuth {
  const credentials = Buffer.from(`${clientId}:${secret}`).toString('base64')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`)
}

/** Signs Apple's client secret: a token that lasts five minutes, signed with the team's key. */
async function signClientSecret(settings: SocialSettings, clock: Clock): Promise<string | undefined> {
  const { clientId, teamId, keyId, privateKey, issuer = providerDefaults.apple.issuer } = settings
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
