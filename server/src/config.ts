import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { chainsSchema, type Chain } from './kit/chains.ts'
import type { ProjectsConfig } from './kit/projects.ts'
import { relayConfig } from './relay/config.ts'

/** The services that one process may run. */
export const serviceNames = ['relay', 'api'] as const
export type ServiceName = (typeof serviceNames)[number]

/** What a server is told. */
export type ServerConfig = {
  host: string
  port: number
  services: readonly ServiceName[]
  /** Undefined starts the embedded PostgreSQL, with its files under `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  chains: readonly Chain[]
  projects: ProjectsConfig
  /** Addresses of this relay that tokens may be made for; empty takes any. */
  relayUrls: readonly string[]
  limits: 'public' | 'local'
  trustedProxies: number
  developerWalletUrl: string | undefined
  logLevel: string
}

const list = (text: string): readonly string[] => text.split(',').map((item) => item.trim())

const projects = z.array(
  z.object({ id: z.string().regex(/^[0-9a-f]{32}$/, 'must be 32 hex digits'), allowedOrigins: z.array(z.string()) }),
)

const schema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number('must be a port').int().min(0).max(65_535).default(4602),
  SERVICES: z
    .string()
    .default(serviceNames.join(','))
    .transform(list)
    .pipe(z.array(z.enum(serviceNames, `must be of: ${serviceNames.join(', ')}`)).min(1)),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must begin with postgres://' }).optional(),
  DATA_DIR: z.string().default('.latchkey/data'),
  CHAINS: fromJson(chainsSchema).default([]),
  PROJECTS: z.union([z.literal('any'), fromJson(projects)]).default('any'),
  LIMITS: z.enum(['public', 'local'], 'must be public or local').default('public'),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  DEVELOPER_WALLET_URL: z.url({ protocol: /^https?$/, error: 'must be an address' }).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  ...relayConfig,
})

/** A configuration that cannot be used, with everything that is wrong about it. */
export class BadConfig extends Error {}

/**
 * Reads the configuration once.
 *
 * @param environment usually `process.env`
 * @throws BadConfig listing every mistake
 * @example const config = readConfig(process.env)
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): ServerConfig {
  const result = schema.safeParse(withChainsFile(environment))
  if (!result.success) {
    const mistakes = result.error.issues.map(({ path, message }) => `- ${path.join('.')}: ${message}`)
    throw new BadConfig(`The configuration has mistakes:\n${mistakes.join('\n')}`)
  }
  const given = result.data
  return {
    host: given.HOST,
    port: given.PORT,
    services: given.SERVICES,
    databaseUrl: given.DATABASE_URL,
    dataDir: given.DATA_DIR,
    chains: given.CHAINS,
    projects: given.PROJECTS,
    relayUrls: given.RELAY_URLS,
    limits: given.LIMITS,
    trustedProxies: given.TRUSTED_PROXIES,
    developerWalletUrl: given.DEVELOPER_WALLET_URL,
    logLevel: given.LOG_LEVEL,
  }
}

/** Chains may stand in a file of their own, which is easier to write than a variable. */
function withChainsFile(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const { CHAINS_FILE: file, ...others } = environment
  if (file === undefined || others['CHAINS'] !== undefined) return others
  try {
    return { ...others, CHAINS: readFileSync(file, 'utf8') }
  } catch (cause) {
    throw new BadConfig(`The configuration has mistakes:\n- CHAINS_FILE: ${file} cannot be read`, { cause })
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
