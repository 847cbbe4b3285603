import { join } from 'node:path'
import { z } from 'zod'
import { farcasterConfig, readFarcaster, type FarcasterSettings } from '../auth/farcaster/settings.ts'
import { readSocials, socialConfig } from '../auth/social/config.ts'
import type { Socials } from '../auth/social/providers.ts'

/** What one of the two services that keep parts of keys is told. Each has a database and keys of its own. */
export type KeeperConfig = {
  /** Undefined makes a database of its own beside the server's. */
  databaseUrl: string | undefined
  /** Where the keys are that everything in its database is sealed under: a plug-in, else the text of a variable, or a file. */
  keys: { plugin: string | undefined; text: string | undefined; variable: string; file: string }
  /** Where frames reach it, when that is not this server. */
  url: string | undefined
}

/** What a server is told of the embedded wallet. */
export type LoginConfig = {
  auth: KeeperConfig
  shares: KeeperConfig
  /** Where mail is handed over: `smtp://…`. */
  mailUrl: string | undefined
  mailFrom: string
  /** Between two mails of one kind to one address, in milliseconds. */
  mailPause: number
  /** Providers that visitors may log in at. */
  socials: Socials
  farcaster: FarcasterSettings | undefined
  frame: {
    port: number
    dir: string
    /** Where browsers reach the secure site, when that is not where it listens. */
    url: string | undefined
  }
}

const web = { protocol: /^https?$/, error: 'must begin with http:// or https://' }
const database = { protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' }
const port = 'must be a whole number from 0 to 65535'
const pause = 'must be a number from 1 to 3600'

/** The part of the configuration that the embedded wallet reads. */
export const loginConfig = {
  AUTH_DATABASE_URL: z.url(database).optional(),
  SHARES_DATABASE_URL: z.url(database).optional(),
  AUTH_KMS: z.string().min(1).optional(),
  SHARES_KMS: z.string().min(1).optional(),
  AUTH_KEYS: z.string().optional(),
  SHARES_KEYS: z.string().optional(),
  AUTH_KEYS_FILE: z.string().optional(),
  SHARES_KEYS_FILE: z.string().optional(),
  AUTH_URL: z.url(web).optional(),
  SHARES_URL: z.url(web).optional(),
  MAIL_URL: z.url({ protocol: /^smtps?$/, error: 'must begin with smtp:// or smtps://' }).optional(),
  MAIL_FROM: z.string().default('Latchkey <login@localhost>'),
  MAIL_PAUSE_SECONDS: z.coerce.number(pause).min(1, pause).max(3_600, pause).default(30),
  FRAME_PORT: z.coerce.number(port).int(port).min(0, port).max(65_535, port).default(4605),
  FRAME_DIR: z.string().default('apps/frame/dist'),
  FRAME_URL: z.url(web).optional(),
  ...socialConfig,
  ...farcasterConfig,
}

type Given = z.infer<z.ZodObject<typeof loginConfig>>

export function readLogin(given: Given, dataDir: string): LoginConfig {
  return {
    auth: {
      databaseUrl: given.AUTH_DATABASE_URL,
      keys: {
        plugin: given.AUTH_KMS,
        text: given.AUTH_KEYS,
        variable: 'AUTH_KEYS',
        file: given.AUTH_KEYS_FILE ?? join(dataDir, 'auth.keys'),
      },
      url: trimmed(given.AUTH_URL),
    },
    shares: {
      databaseUrl: given.SHARES_DATABASE_URL,
      keys: {
        plugin: given.SHARES_KMS,
        text: given.SHARES_KEYS,
        variable: 'SHARES_KEYS',
        file: given.SHARES_KEYS_FILE ?? join(dataDir, 'shares.keys'),
      },
      url: trimmed(given.SHARES_URL),
    },
    mailUrl: given.MAIL_URL,
    mailFrom: given.MAIL_FROM,
    mailPause: given.MAIL_PAUSE_SECONDS * 1_000,
    socials: readSocials(given),
    farcaster: readFarcaster(given),
    frame: { port: given.FRAME_PORT, dir: given.FRAME_DIR, url: trimmed(given.FRAME_URL) },
  }
}

/** What is wrong with the services that were chosen and what they were told. */
export function loginProblems(services: readonly string[], given: Given): readonly string[] {
  const problems: string[] = []
  const needs = (service: string, missing: boolean, sentence: string): void =>
    void (services.includes(service) && missing && problems.push(sentence))
  const mail = 'MAIL_URL: names the mail system that codes and links are sent through, like smtps://user:password@host'
  needs('auth', given.MAIL_URL === undefined, mail)
  needs('shares', given.MAIL_URL === undefined && !services.includes('auth'), mail)
  needs(
    'shares',
    !services.includes('auth') && given.AUTH_URL === undefined,
    'AUTH_URL: says where the auth service is, whose public keys the share store checks logins by',
  )
  for (const [service, variable] of [
    ['auth', 'AUTH_URL'],
    ['shares', 'SHARES_URL'],
  ] as const) {
    const missing = !services.includes(service) && given[variable] === undefined
    needs('frame', missing, `${variable}: says where the secure site finds that service, which does not run here`)
  }
  return problems
}

function trimmed(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, '')
}
