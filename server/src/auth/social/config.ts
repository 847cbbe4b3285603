import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SocialName, Socials } from './providers.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/** Providers are on the network: only those of this machine may do without encryption. */
const address = z.url().refine((text) => {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && loopback.includes(hostname))
}, 'must begin with https://')

const text = z.string().min(1)
const common = { clientId: text, clientSecret: text.optional() }
const endpoints = { authorizationUrl: address.optional(), tokenUrl: address.optional() }
const oidc = z.strictObject({ ...common, ...endpoints, issuer: address.optional(), jwksUrl: address.optional() })
const oauth = z.strictObject({ ...common, ...endpoints, userUrl: address.optional(), emailsUrl: address.optional() })

const socialsSchema = z.strictObject({
  google: oidc.optional(),
  facebook: oidc.optional(),
  apple: oidc.extend({ teamId: text.optional(), keyId: text.optional(), privateKey: text.optional() }).optional(),
  github: oauth.optional(),
  x: oauth.optional(),
  discord: oauth.optional(),
}) satisfies z.ZodType<{ [name in SocialName]?: object | undefined }>

const socialsText = z.string().transform((given, context): z.infer<typeof socialsSchema> => {
  try {
    return socialsSchema.parse(JSON.parse(given))
  } catch (error) {
    // Values are left out of the message: secrets are among them.
    const where = error instanceof z.ZodError ? error.issues.map(({ path }) => path.join('.')).join(', ') : ''
    const message = where === '' ? 'is not JSON of { "google": { "clientId", … }, … }' : `is wrong at: ${where}`
    context.issues.push({ code: 'custom', input: '', message })
    return z.NEVER
  }
})

/** The part of the configuration that social logins read: `SOCIALS`, or `SOCIALS_FILE` with the same in a file. */
export const socialConfig = {
  SOCIALS: socialsText.optional(),
  SOCIALS_FILE: z
    .string()
    .transform((file, context): string => {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        context.issues.push({ code: 'custom', input: file, message: `${file} cannot be read` })
        return z.NEVER
      }
    })
    .pipe(socialsText)
    .optional(),
}

/**
 * What the variables say: the providers that are set up, with what each is told of this deployment.
 *
 * @example readSocials({ SOCIALS: { google: { clientId: '…', clientSecret: '…' } } })
 */
export function readSocials(given: z.infer<z.ZodObject<typeof socialConfig>>): Socials {
  return given.SOCIALS ?? given.SOCIALS_FILE ?? {}
}
