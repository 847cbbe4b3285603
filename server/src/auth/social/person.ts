import { fetchProtectedResource, type Configuration } from 'openid-client'
import { z } from 'zod'
import type { IdClaims } from './idToken.ts'
import type { SocialName, TokenName } from './providers.ts'

/** Who logged in at a provider. Only the subject says who it is: names and addresses change hands. */
export type Person = {
  readonly provider: SocialName
  readonly subject: string
  readonly userName?: string
  /** Only one that the provider says it has verified. */
  readonly email?: string
  readonly idToken?: string
}

const shortText = z.string().min(1).max(255)

/** Reads who somebody is from the claims of a checked token. */
export function personOf(provider: TokenName, { subject, claims }: IdClaims): Person {
  const { email, email_verified: isVerified, name } = claims
  // Apple says it in a text.
  const isGood = isVerified === true || isVerified === 'true'
  const address = isGood ? shortText.safeParse(email).data : undefined
  return person(provider, { subject, userName: shortText.safeParse(name).data ?? address, email: address })
}

type Asking = {
  config: Configuration
  accessToken: string
  userUrl: string | undefined
  emailsUrl: string | undefined
}

const github = z.object({ id: z.number().int().positive(), login: shortText })
const githubEmails = z.array(z.object({ email: shortText, primary: z.boolean(), verified: z.boolean() }))
const x = z.object({
  data: z.object({ id: shortText, username: shortText, confirmed_email: shortText.optional() }),
})
const discord = z.object({
  id: shortText,
  username: shortText,
  email: shortText.nullish(),
  verified: z.boolean().optional(),
})

/**
 * Asks a provider that signs no tokens whose access token this is. It came from the provider's own token endpoint, for our
 * code and verifier, so that it was made for nobody else.
 *
 * @throws Error when the provider answers something else than it documents
 */
export async function readPerson(provider: Exclude<SocialName, TokenName>, asking: Asking): Promise<Person> {
  const { userUrl, emailsUrl } = asking
  const user = await ask(asking, userUrl)
  if (provider === 'github') {
    const { id, login } = github.parse(user)
    const emails = githubEmails.parse(emailsUrl === undefined ? [] : await ask(asking, emailsUrl))
    const email = emails.find(({ primary, verified }) => primary && verified)?.email
    return person(provider, { subject: String(id), userName: login, email })
  }
  if (provider === 'x') {
    const { id, username, confirmed_email: email } = x.parse(user).data
    return person(provider, { subject: id, userName: username, email })
  }
  const { id, username, email, verified } = discord.parse(user)
  return person(provider, {
    subject: id,
    userName: username,
    email: verified === true ? (email ?? undefined) : undefined,
  })
}

async function ask({ config, accessToken }: Asking, url: string | undefined): Promise<unknown> {
  if (url === undefined) throw new Error('The provider has no address to ask who somebody is.')
  // GitHub answers nobody who does not say who asks.
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Latchkey' })
  const response = await fetchProtectedResource(config, accessToken, new URL(url), 'GET', undefined, headers)
  if (!response.ok) throw new Error(`The provider answered ${response.status} when asked who it was.`)
  return response.json()
}

type Facts = { subject: string; userName: string | undefined; email: string | undefined }

function person(provider: SocialName, { subject, userName, email }: Facts): Person {
  return { provider, subject, ...(userName !== undefined && { userName }), ...(email !== undefined && { email }) }
}
