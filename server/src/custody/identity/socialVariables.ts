import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { urlSchema } from '../../kit/config/schemas.ts'
import { InvalidValueError, parseWithSchema } from '../../kit/config/parseWithSchema.ts'
import { fromFile, invalidValue, optional, type VariableValues } from '../../kit/config/variables.ts'
import type { SocialProvider, Socials } from './socialProviders.ts'

/** Providers must use HTTPS, except on this machine. */
const addressSchema = Type.Union([
  urlSchema(['https']),
  Type.String({ pattern: String.raw`^http://(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?#]\S*)?$` }),
])
const nonEmpty = Type.String({ minLength: 1 })
const strict = { additionalProperties: false } as const
const endpoints = {
  clientId: nonEmpty,
  clientSecret: Type.Optional(nonEmpty),
  authorizationUrl: Type.Optional(addressSchema),
  tokenUrl: Type.Optional(addressSchema),
}
const oidcEndpoints = { ...endpoints, issuer: Type.Optional(addressSchema), jwksUrl: Type.Optional(addressSchema) }
const oidcSchema = Type.Object(oidcEndpoints, strict)
const appleSchema = Type.Object(
  {
    ...oidcEndpoints,
    teamId: Type.Optional(nonEmpty),
    keyId: Type.Optional(nonEmpty),
    privateKey: Type.Optional(nonEmpty),
  },
  strict,
)
const oauthSchema = Type.Object(
  { ...endpoints, userUrl: Type.Optional(addressSchema), emailsUrl: Type.Optional(addressSchema) },
  strict,
)
const socialsSchema = Type.Object(
  {
    google: Type.Optional(oidcSchema),
    facebook: Type.Optional(oidcSchema),
    apple: Type.Optional(appleSchema),
    github: Type.Optional(oauthSchema),
    x: Type.Optional(oauthSchema),
    discord: Type.Optional(oauthSchema),
  } satisfies { [name in SocialProvider]: TSchema },
  strict,
)

/** The error names fields and never their values, because secrets are among them. */
function parseSocials(text: string): Static<typeof socialsSchema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidValue('is not JSON of { "google": { "clientId", … }, … }')
  }
  try {
    return parseWithSchema(socialsSchema, value)
  } catch (error) {
    if (!(error instanceof InvalidValueError)) throw error
    throw invalidValue(`is wrong at: ${error.problems.map(({ path }) => path).join(', ')}`)
  }
}

/** The environment variables of social logins: `SOCIALS`, or `SOCIALS_FILE` with the same in a file. */
export const socialVariables = {
  SOCIALS: optional(parseSocials),
  SOCIALS_FILE: optional(fromFile(parseSocials)),
}

/**
 * Returns the configured providers.
 *
 * @example toSocials({ SOCIALS: { google: { clientId: '…', clientSecret: '…' } } })
 */
export function toSocials(given: VariableValues<typeof socialVariables>): Socials {
  return given.SOCIALS ?? given.SOCIALS_FILE ?? {}
}
