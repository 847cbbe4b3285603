import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { fetchProtectedResource, type Configuration } from 'openid-client'
import type { OidcProvider, SocialProvider } from './socialProviders.ts'
import type { IdClaims } from './verifyIdToken.ts'

/** The account of a user at a provider. Only the subject identifies it: names and addresses can change owners. */
export type ProviderAccount = {
  readonly provider: SocialProvider
  readonly subject: string
  readonly userName?: string
  /** Present only if the provider has verified it. */
  readonly email?: string
}

const shortText = Type.String({ minLength: 1, maxLength: 255 })
const githubUser = Type.Object({ id: Type.Integer({ exclusiveMinimum: 0 }), login: shortText })
const githubEmails = Type.Array(Type.Object({ email: shortText, primary: Type.Boolean(), verified: Type.Boolean() }))
const xUser = Type.Object({
  data: Type.Object({ id: shortText, username: shortText, confirmed_email: Type.Optional(shortText) }),
})
const discordUser = Type.Object({
  id: shortText,
  username: shortText,
  email: Type.Optional(Type.Union([shortText, Type.Null()])),
  verified: Type.Optional(Type.Boolean()),
})

/** Returns the account that a verified ID token names. */
export function accountFromClaims(provider: OidcProvider, { subject, claims }: IdClaims): ProviderAccount {
  const { email, email_verified: isVerified, name } = claims
  // Apple sends the flag as a string.
  const hasVerifiedEmail = isVerified === true || isVerified === 'true'
  const address = hasVerifiedEmail && Value.Check(shortText, email) ? email : undefined
  const userName = Value.Check(shortText, name) ? name : address
  return toAccount(provider, { subject, userName, email: address })
}

type UserInfoRequest = {
  config: Configuration
  accessToken: string
  userUrl: string | undefined
  emailsUrl: string | undefined
}

/**
 * Requests the account of an access token, from a provider that signs no ID tokens. The token came from the provider's own token
 * endpoint for our code and verifier, so it was issued for this login only.
 *
 * @throws Error if the response differs from the provider's documentation
 */
export async function fetchProviderAccount(
  provider: Exclude<SocialProvider, OidcProvider>,
  request: UserInfoRequest,
): Promise<ProviderAccount> {
  const { userUrl, emailsUrl } = request
  const user = await fetchUserInfo(request, userUrl)
  if (provider === 'github') {
    const { id, login } = parseUserInfo(githubUser, user)
    const emails = parseUserInfo(githubEmails, emailsUrl === undefined ? [] : await fetchUserInfo(request, emailsUrl))
    const email = emails.find(({ primary, verified }) => primary && verified)?.email
    return toAccount(provider, { subject: String(id), userName: login, email })
  }
  if (provider === 'x') {
    const { id, username, confirmed_email: email } = parseUserInfo(xUser, user).data
    return toAccount(provider, { subject: id, userName: username, email })
  }
  const { id, username, email, verified } = parseUserInfo(discordUser, user)
  const verifiedEmail = verified === true ? (email ?? undefined) : undefined
  return toAccount(provider, { subject: id, userName: username, email: verifiedEmail })
}

async function fetchUserInfo({ config, accessToken }: UserInfoRequest, url: string | undefined): Promise<unknown> {
  if (url === undefined) throw new Error('The provider has no address for user information.')
  // GitHub rejects requests without a user agent.
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Latchkey' })
  const response = await fetchProtectedResource(config, accessToken, new URL(url), 'GET', undefined, headers)
  if (!response.ok)
    throw new Error(`The provider responded with ${response.status} to the request for user information.`)
  return response.json()
}

function parseUserInfo<schema extends TSchema>(schema: schema, body: unknown): Static<schema> {
  if (Value.Check(schema, body)) return body
  throw new Error('The provider sent user information of an unknown form.')
}

type AccountFields = { subject: string; userName: string | undefined; email: string | undefined }

function toAccount(provider: SocialProvider, { subject, userName, email }: AccountFields): ProviderAccount {
  return { provider, subject, ...(userName !== undefined && { userName }), ...(email !== undefined && { email }) }
}
