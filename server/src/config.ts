import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LatchkeyError } from '@latchkey/protocol'
import { z } from 'zod'
import { chainsSchema, type Chain } from './kit/chains.ts'
import type { ProjectsConfig } from './kit/projects.ts'
import { loginConfig, loginProblems, readLogin, type LoginConfig } from './login/config.ts'
import { namesConfig, signerKeySchema, type NamesConfig } from './names/config.ts'
import { onRampConfig, readOnRamp, type OnRampConfig } from './onramp/config.ts'
import { bridgeConfig, readUpstream, upstreamProblems, type Upstream } from './relay/bridge/config.ts'
import { relayConfig, type MessageSizes, type RelayLimitsSet } from './relay/config.ts'
import { walletsSchema, type WalletFacts } from './wallets/walletFacts.ts'

/** The services that one process may run. */
export const serviceNames = ['relay', 'api', 'auth', 'shares', 'frame'] as const
/** Those that need no mail system. */
const usualServices: readonly ServiceName[] = ['relay', 'api']
export type ServiceName = (typeof serviceNames)[number]

/** What a server is told. */
export type ServerConfig = {
  host: string
  port: number
  services: readonly ServiceName[]
  /** Undefined starts the embedded PostgreSQL, with its files under `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  /** What several server processes tell each other over; undefined where there is one. */
  redisUrl: string | undefined
  chains: readonly Chain[]
  projects: ProjectsConfig
  /** Addresses of this relay that tokens may be made for; empty takes any. */
  relayUrls: readonly string[]
  /** Largest message that the relay takes. */
  messageBytes: MessageSizes
  /** Where webhooks may be: `any` lets strangers reach what this machine can. */
  webhooks: 'public' | 'any'
  /** The relay that ours carries its topics to and from, if any. */
  upstream: Upstream | undefined
  limits: 'public' | 'local'
  /** Single limits of the relay, instead of those of `limits`. */
  relayLimits: RelayLimitsSet
  trustedProxies: number
  developerWalletUrl: string | undefined
  /** Wallets that the operator adds to the wallet list, or puts in the place of listed ones. */
  wallets: readonly WalletFacts[]
  /** Where browsers reach this server, when that is not where it listens. */
  publicUrl: string | undefined
  /** Where `ipfs://` leads, ending in a slash. */
  ipfsGateway: string | undefined
  names: NamesConfig
  onRamp: OnRampConfig
  login: LoginConfig
  logLevel: string
  /** Keys that keys in the database are sealed under; made on first use. */
  apiKeysFile: string
}

type Environment = Readonly<Record<string, string | undefined>>

const list = (text: string): readonly string[] => text.split(',').map((item) => item.trim())

const project = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/), allowedOrigins: z.array(z.string()) })

const port = 'must be a whole number from 0 to 65535'

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number(port).int(port).min(0, port).max(65_535, port).default(4602),
  SERVICES: z
    .string()
    .default(usualServices.join(','))
    .transform(list)
    .pipe(z.array(z.enum(serviceNames, `must be of: ${serviceNames.join(', ')}`)).min(1)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' }).optional(),
  DATA_DIR: z.string().default('.latchkey/data'),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must begin with redis:// or rediss://' }).optional(),
  CHAINS: fromJson(chainsSchema).default([]),
  PROJECTS: z
    .string()
    .default('any')
    .transform((text) => (text === 'any' ? '"any"' : text))
    .pipe(
      fromJson(
        z.union(
          [z.literal('any'), z.array(project)],
          'must be any, or a list of { "id": "32 hex digits", "allowedOrigins": ["https://app.example"] }',
        ),
      ),
    ),
  LIMITS: z.enum(['public', 'local'], 'must be public or local').default('public'),
  TRUSTED_PROXIES: z.coerce.number('must be a number').int().min(0).max(10).default(0),
  DEVELOPER_WALLET_URL: z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }).optional(),
  WALLETS_FILE: inFile(fromJson(walletsSchema)).default([]),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }).optional(),
  IPFS_GATEWAY: z
    .url({ protocol: /^https?$/, error: 'must begin with http:// or https://' })
    .endsWith('/', 'must end in a slash')
    .optional(),
  API_KEYS_FILE: z.string().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  ...namesConfig,
  NAMES_SIGNER_KEY_FILE: inFile(signerKeySchema).optional(),
  ...onRampConfig,
  ...loginConfig,
  ...relayConfig,
  ...bridgeConfig,
})

/**
 * Reads the configuration once. A variable that is there but empty counts as absent.
 *
 * @param environment usually `process.env`
 * @throws LatchkeyError `config/invalid` listing every mistake
 * @example const config = readConfig(process.env)
 */
export function readConfig(environment: Environment): ServerConfig {
  const { variables, problems: chainsProblems } = withChainsFile(withoutBlanks(environment))
  const problems = [...chainsProblems, ...upstreamProblems(variables)]
  const result = schema.safeParse(variables)
  const mistakes = result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  if (!result.success || problems.length > 0) {
    throw new LatchkeyError('config/invalid', { problems: [...problems, ...mistakes] })
  }
  const given = result.data
  const lacks = loginProblems(given.SERVICES, given)
  if (lacks.length > 0) throw new LatchkeyError('config/invalid', { problems: lacks })
  return {
    host: given.HOST,
    port: given.PORT,
    services: given.SERVICES,
    databaseUrl: given.DATABASE_URL ?? keepersDatabase(given),
    dataDir: given.DATA_DIR,
    redisUrl: given.REDIS_URL,
    chains: given.CHAINS,
    projects: given.PROJECTS,
    relayUrls: given.RELAY_URLS,
    relayLimits: given.RELAY_LIMITS,
    messageBytes: given.RELAY_MESSAGE_BYTES,
    webhooks: given.RELAY_WEBHOOKS,
    upstream: readUpstream(given),
    limits: given.LIMITS,
    trustedProxies: given.TRUSTED_PROXIES,
    developerWalletUrl: given.DEVELOPER_WALLET_URL,
    wallets: given.WALLETS_FILE,
    publicUrl: given.PUBLIC_URL?.replace(/\/+$/, ''),
    ipfsGateway: given.IPFS_GATEWAY,
    names: { zones: given.NAMES_ZONE, signerKey: given.NAMES_SIGNER_KEY ?? given.NAMES_SIGNER_KEY_FILE },
    onRamp: readOnRamp(given),
    login: readLogin(given, given.DATA_DIR),
    logLevel: given.LOG_LEVEL,
    apiKeysFile: given.API_KEYS_FILE ?? join(given.DATA_DIR, 'api.keys'),
  }
}

/** A process that keeps parts of keys and nothing else needs no database besides. */
function keepersDatabase(given: z.infer<typeof schema>): string | undefined {
  const others = given.SERVICES.some((service) => service !== 'auth' && service !== 'shares')
  return others ? undefined : (given.AUTH_DATABASE_URL ?? given.SHARES_DATABASE_URL)
}

function withoutBlanks(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''))
}

/** Chains may stand in a file of their own, which is easier to write than a variable. */
function withChainsFile(variables: Environment): { variables: Environment; problems: readonly string[] } {
  const { CHAINS_FILE: file, CHAINS: given } = variables
  if (file === undefined || given !== undefined) return { variables, problems: [] }
  try {
    return { variables: { ...variables, CHAINS: readFileSync(file, 'utf8') }, problems: [] }
  } catch {
    return { variables, problems: [`CHAINS_FILE: ${file} cannot be read`] }
  }
}

function fromJson<schema extends z.ZodType>(inner: schema): z.ZodPipe<z.ZodTransform<unknown, string>, schema> {
  return z
    .transform((text: string, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.issues.push({ code: 'custom', input: text, message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(inner)
}

/** Takes the text of a file in the place of its name. */
function inFile<schema extends z.ZodType>(inner: schema): z.ZodPipe<z.ZodTransform<unknown, string>, schema> {
  return z
    .transform((file: string, context): unknown => {
      try {
        return readFileSync(file, 'utf8')
      } catch {
        context.issues.push({ code: 'custom', input: file, message: `${file} cannot be read` })
        return z.NEVER
      }
    })
    .pipe(inner)
}
