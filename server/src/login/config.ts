import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import {
  farcasterVariables,
  toFarcasterRelay,
  toFarcasterSettings,
  type FarcasterSettings,
} from '../custody/identity/farcasterSettings.ts'
import { socialVariables, toSocials } from '../custody/identity/socialVariables.ts'
import { urlSchema, webUrlSchema } from '../kit/config/schemas.ts'
import { fromList, fromText, optional, withDefault, type VariableValues } from '../kit/config/variables.ts'
import type { ReleaseSigners } from '@latchkey/protocol/release'
import type { Socials } from '../custody/identity/socialProviders.ts'

/** The configuration of a key service. Each has its own database and keys. */
export type KeyServiceConfig = {
  /** Undefined creates a separate database on the server's PostgreSQL. */
  databaseUrl: string | undefined
  /** The source of the master keys: a plug-in, else the text of a variable, else a file. */
  keys: { plugin: string | undefined; text: string | undefined; variable: string; file: string }
  /** The URL for frames, if it is not this server's. */
  url: string | undefined
}

/** The configuration of the embedded wallet. */
export type LoginConfig = {
  auth: KeyServiceConfig
  shares: KeyServiceConfig
  /** The mail system: `smtp://…`. */
  mailUrl: string | undefined
  mailFrom: string
  /** Least time between two mails of one kind to one address, in milliseconds. */
  mailIntervalMs: number
  /** The path of the database of places that mails name. */
  geoipFile: string | undefined
  /** The identity providers of the login. */
  socials: Socials
  farcaster: FarcasterSettings | undefined
  frame: {
    port: number
    dir: string
    /** The keys that must have signed the release. Without any, an unsigned build is served. */
    signers: ReleaseSigners
    /** The URL for browsers, if it differs from the address that the site listens on. */
    url: string | undefined
    /** The relay at which the frame opens channels to Farcaster applications. Neither key service may run it. */
    farcasterRelay: string | undefined
  }
}

const databaseUrl = fromText(urlSchema(['postgres', 'postgresql']))
const webUrl = fromText(webUrlSchema)
const anyText = fromText(Type.String())
const port = fromText(Type.Integer({ minimum: 0, maximum: 65_535, message: 'must be a whole number from 0 to 65535' }))

/** The environment variables of the embedded wallet. */
export const loginVariables = {
  AUTH_DATABASE_URL: optional(databaseUrl),
  SHARES_DATABASE_URL: optional(databaseUrl),
  AUTH_KMS: optional(anyText),
  SHARES_KMS: optional(anyText),
  AUTH_KEYS: optional(anyText),
  SHARES_KEYS: optional(anyText),
  AUTH_KEYS_FILE: optional(anyText),
  SHARES_KEYS_FILE: optional(anyText),
  AUTH_URL: optional(webUrl),
  SHARES_URL: optional(webUrl),
  MAIL_URL: optional(fromText(urlSchema(['smtp', 'smtps']))),
  MAIL_FROM: withDefault(anyText, 'Latchkey <login@localhost>'),
  MAIL_PAUSE_SECONDS: withDefault(
    fromText(Type.Number({ minimum: 1, maximum: 3_600, message: 'must be a number from 1 to 3600' })),
    30,
  ),
  GEOIP_FILE: optional(anyText),
  FRAME_PORT: withDefault(port, 4605),
  FRAME_DIR: withDefault(anyText, 'apps/frame/dist'),
  FRAME_URL: optional(webUrl),
  FRAME_SIGNERS: optional(
    fromList(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$', message: 'must be public keys of 43 characters each' }), {
      minItems: 1,
      message: 'must list at least one public key',
    }),
  ),
  FRAME_SIGNATURES: optional(
    fromText(Type.Integer({ minimum: 1, maximum: 16, message: 'must be a whole number from 1 to 16' })),
  ),
  ...socialVariables,
  ...farcasterVariables,
}

type LoginValues = VariableValues<typeof loginVariables>

/** Builds the configuration of the embedded wallet from its variables. */
export function toLoginConfig(given: LoginValues, dataDir: string): LoginConfig {
  return {
    auth: {
      databaseUrl: given.AUTH_DATABASE_URL,
      keys: {
        plugin: given.AUTH_KMS,
        text: given.AUTH_KEYS,
        variable: 'AUTH_KEYS',
        file: given.AUTH_KEYS_FILE ?? join(dataDir, 'auth.keys'),
      },
      url: trimTrailingSlashes(given.AUTH_URL),
    },
    shares: {
      databaseUrl: given.SHARES_DATABASE_URL,
      keys: {
        plugin: given.SHARES_KMS,
        text: given.SHARES_KEYS,
        variable: 'SHARES_KEYS',
        file: given.SHARES_KEYS_FILE ?? join(dataDir, 'shares.keys'),
      },
      url: trimTrailingSlashes(given.SHARES_URL),
    },
    mailUrl: given.MAIL_URL,
    mailFrom: given.MAIL_FROM,
    mailIntervalMs: given.MAIL_PAUSE_SECONDS * 1_000,
    geoipFile: given.GEOIP_FILE,
    socials: toSocials(given),
    farcaster: toFarcasterSettings(given),
    frame: {
      port: given.FRAME_PORT,
      dir: given.FRAME_DIR,
      signers: { keys: given.FRAME_SIGNERS ?? [], threshold: given.FRAME_SIGNATURES ?? 1 },
      url: trimTrailingSlashes(given.FRAME_URL),
      farcasterRelay: toFarcasterRelay(given),
    },
  }
}

/** Lists the variables that the chosen services need and that are missing. */
export function findLoginProblems(services: readonly string[], given: LoginValues): readonly string[] {
  const problems: string[] = []
  const needs = (service: string, missing: boolean, sentence: string): void =>
    void (services.includes(service) && missing && problems.push(sentence))
  const mail = 'MAIL_URL: must name the mail system for codes and links, like smtps://user:password@host'
  needs('auth', given.MAIL_URL === undefined, mail)
  needs('shares', given.MAIL_URL === undefined && !services.includes('auth'), mail)
  needs(
    'shares',
    !services.includes('auth') && given.AUTH_URL === undefined,
    'AUTH_URL: must name the auth service, whose public keys verify logins at the share store',
  )
  const signers = new Set(given.FRAME_SIGNERS ?? []).size
  // Also without signers: a list that got lost must not serve unsigned files.
  needs(
    'frame',
    (given.FRAME_SIGNATURES ?? 0) > signers,
    `FRAME_SIGNATURES: must be at most the number of different keys in FRAME_SIGNERS, which is ${signers}`,
  )
  // A key service that also runs the relay could put a nonce of its own into the channel, and approve a key of its own.
  const relayHost = hostOf(given.FARCASTER_RELAY_URL)
  needs(
    'frame',
    relayHost !== undefined && [given.AUTH_URL, given.SHARES_URL].some((url) => hostOf(url) === relayHost),
    'FARCASTER_RELAY_URL: must name a relay that neither key service runs',
  )
  for (const [service, variable] of [
    ['auth', 'AUTH_URL'],
    ['shares', 'SHARES_URL'],
  ] as const) {
    const missing = !services.includes(service) && given[variable] === undefined
    needs('frame', missing, `${variable}: must name that service for the frame, because it does not run here`)
  }
  return problems
}

function hostOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).host
}

function trimTrailingSlashes(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '')
}
