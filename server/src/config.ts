import { join } from 'node:path'
import { configError } from '@latchkey/protocol'
import { Type } from '@sinclair/typebox'
import { findDuplicateProviders, rpcProvidersSchema, type RpcProvider } from './kit/chain/budgets/rpcProvider.ts'
import { chainsSchema, type Chain } from './kit/chain/chains.ts'
import type { ProjectsConfig } from './kit/http/projects.ts'
import type { MetricsAddress } from './kit/metrics/serveMetrics.ts'
import {
  fromFile,
  fromJson,
  fromList,
  fromText,
  optional,
  parseVariables,
  withDefault,
  type Environment,
  type VariableValues,
} from './kit/config/variables.ts'
import { readVariableFiles } from './kit/config/readVariableFiles.ts'
import { choiceSchema, urlSchema, webUrlSchema } from './kit/config/schemas.ts'
import { toTracingConfig, tracingVariables, type TracingConfig } from './kit/tracing/tracingVariables.ts'
import { findLoginProblems, loginVariables, toLoginConfig, type LoginConfig } from './login/config.ts'
import { namesVariables, type NamesConfig } from './names/config.ts'
import { onRampVariables, toOnRampConfig, type OnRampConfig } from './onramp/config.ts'
import { bridgeVariables, findUpstreamProblems, toUpstream, type Upstream } from './relay/bridge/bridgeVariables.ts'
import { findPushProblems, pushVariables, toPushConfig, type PushConfig } from './relay/push/pushVariables.ts'
import { relayVariables, type MessageSizes, type RelayLimitsSet } from './relay/relayVariables.ts'
import { findStoreProblems, storeVariables, toRelayStore, type RelayStore } from './relay/storeVariables.ts'
import { findDuplicateWallets, walletsSchema, type WalletFacts } from './wallets/walletFacts.ts'

/** The services that one process may run. */
export const serviceNames = ['relay', 'api', 'auth', 'shares', 'frame'] as const
/** The services that need no mail system. */
const defaultServices: readonly ServiceName[] = ['relay', 'api']
export type ServiceName = (typeof serviceNames)[number]

/** The configuration of a server. */
export type ServerConfig = {
  host: string
  port: number
  services: readonly ServiceName[]
  /** The embedded PostgreSQL starts if `undefined`, with its files under `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  /** The ClickHouse of the histories; they are in the database if `undefined`. */
  historyUrl: string | undefined
  /** The Redis that several server processes share; `undefined` for a single process. */
  redisUrl: string | undefined
  chains: readonly Chain[]
  /** The budgets of the providers of RPC endpoints. */
  rpcProviders: readonly RpcProvider[]
  /** The place of `GET /metrics`; `undefined` disables it. */
  metrics: MetricsAddress | undefined
  projects: ProjectsConfig
  /** Addresses of this relay that tokens may name; empty accepts any. */
  relayUrls: readonly string[]
  /** The longest TTL of a message of the relay in seconds. */
  relayMaxTtl: number
  /** The cluster that stores the messages of the relay; they are in the database if `undefined`. */
  relayStore: RelayStore | undefined
  /** The largest message of the relay. */
  messageBytes: MessageSizes
  /** Allowed addresses of webhooks: `any` includes the private network of this machine. */
  webhooks: 'public' | 'any'
  /** The upstream relay of the bridge, if any. */
  upstream: Upstream | undefined
  /** The push gateway of the relay, if any. */
  push: PushConfig | undefined
  limits: 'public' | 'local'
  /** Single limits of the relay, instead of those of `limits`. */
  relayLimits: RelayLimitsSet
  trustedProxies: number
  developerWalletUrl: string | undefined
  /** Wallets that the operator adds to the wallet list, or replaces. */
  wallets: readonly WalletFacts[]
  /** `off` replaces the brand icons of wallets, networks and tokens by tiles with initials. */
  brandIcons: 'on' | 'off'
  /** The URL of this server for browsers, if it differs from the one that it listens on. */
  publicUrl: string | undefined
  /** The gateway for `ipfs://` URLs, ending in a slash. */
  ipfsGateway: string | undefined
  names: NamesConfig
  onRamp: OnRampConfig
  login: LoginConfig
  /** The collector of traces; `undefined` disables them. */
  tracing: TracingConfig | undefined
  logLevel: string
  /** The commit that was built, for `GET /health`. */
  commitHash: string | undefined
  /** The file of the keys that seal keys in the database. Created on first use. */
  apiKeysFile: string
  /** The number of clients whose reports mark a token as spam. Reports alone mark nothing if `undefined`. */
  spamReportThreshold: number | undefined
}

const projectSchema = Type.Object({
  id: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  allowedOrigins: Type.Array(Type.String()),
})
const projectsSchema = Type.Union([Type.Literal('any'), Type.Array(projectSchema)], {
  message: 'must be any, or a list of { "id": "32 hex digits", "allowedOrigins": ["https://app.example"] }',
})
const portSchema = Type.Integer({ minimum: 0, maximum: 65_535, message: 'must be a whole number from 0 to 65535' })
const gatewaySchema = Type.Intersect([webUrlSchema, Type.String({ pattern: '/$', message: 'must end in a slash' })])
const historyUrlSchema = Type.String({
  pattern: String.raw`^clickhouses?://(?:(?:[^\s/?#@%]|%[0-9a-fA-F]{2})+@)?(?:[^\s/?#@:\[\]]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?:/\w*)?$`,
  message: 'must be clickhouse://user:password@host:8123/database, or the same with clickhouses:// for TLS',
})
const serviceSchema = choiceSchema(serviceNames, `must be of: ${serviceNames.join(', ')}`)
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
const anyText = fromText(Type.String())
const webUrl = fromText(webUrlSchema)

/** All environment variables of the server. */
const variables = {
  HOST: withDefault(anyText, '127.0.0.1'),
  PORT: withDefault(fromText(portSchema), 4602),
  SERVICES: withDefault(fromList(serviceSchema, { minItems: 1 }), defaultServices),
  DATABASE_URL: optional(fromText(urlSchema(['postgres', 'postgresql']))),
  DATA_DIR: withDefault(anyText, '.latchkey/data'),
  REDIS_URL: optional(fromText(urlSchema(['redis', 'rediss']))),
  HISTORY_URL: optional(fromText(historyUrlSchema)),
  CHAINS: withDefault(fromJson(chainsSchema), []),
  RPC_PROVIDERS: withDefault(fromJson(rpcProvidersSchema, findDuplicateProviders), []),
  METRICS_PORT: optional(fromText(portSchema)),
  METRICS_HOST: withDefault(anyText, '127.0.0.1'),
  METRICS_TOKEN: optional(fromText(Type.String({ minLength: 16, message: 'must have at least 16 characters' }))),
  PROJECTS: withDefault((text) => (text === 'any' ? 'any' : fromJson(projectsSchema)(text)), 'any'),
  LIMITS: withDefault(fromText(choiceSchema(['public', 'local'], 'must be public or local')), 'public'),
  TRUSTED_PROXIES: withDefault(
    fromText(Type.Integer({ minimum: 0, maximum: 10, message: 'must be a whole number from 0 to 10' })),
    0,
  ),
  DEVELOPER_WALLET_URL: optional(webUrl),
  WALLETS_FILE: withDefault(fromFile(fromJson(walletsSchema, findDuplicateWallets)), []),
  BRAND_ICONS: withDefault(fromText(choiceSchema(['on', 'off'], 'must be on or off')), 'on'),
  PUBLIC_URL: optional(webUrl),
  IPFS_GATEWAY: optional(fromText(gatewaySchema)),
  API_KEYS_FILE: optional(anyText),
  SPAM_REPORT_THRESHOLD: optional(
    fromText(Type.Integer({ minimum: 2, maximum: 1_000_000, message: 'must be a whole number from 2 on' })),
  ),
  LOG_LEVEL: withDefault(fromText(choiceSchema(logLevels)), 'info'),
  COMMIT_HASH: optional(fromText(Type.String({ pattern: '^[0-9a-f]{7,64}$', message: 'must be a commit hash' }))),
  ...namesVariables,
  ...onRampVariables,
  ...loginVariables,
  ...relayVariables,
  ...bridgeVariables,
  ...pushVariables,
  ...tracingVariables,
  ...storeVariables,
}

/** The names of all variables. Each may also be in the file that its name with `_FILE` names. */
export const variableNames: readonly string[] = Object.keys(variables)

type Values = VariableValues<typeof variables>

/**
 * Reads the configuration once. An empty variable counts as absent.
 *
 * @param environment usually `process.env`
 * @throws LatchkeyError `config/invalid` that lists every mistake
 * @example const config = readConfig(process.env)
 */
export function readConfig(environment: Environment): ServerConfig {
  const { environment: complete, problems } = readVariableFiles(withoutBlanks(environment), variables)
  const contradictions = [...problems, ...findContradictions(complete)]
  const parsed = parseVariables(variables, complete)
  const mistakes = 'problems' in parsed ? parsed.problems : []
  if ('problems' in parsed || contradictions.length > 0) {
    throw configError('config/invalid', { problems: [...contradictions, ...mistakes] })
  }
  const missing = [...findLoginProblems(parsed.values.SERVICES, parsed.values), ...findMetricsProblems(parsed.values)]
  if (missing.length > 0) throw configError('config/invalid', { problems: missing })
  return toServerConfig(parsed.values)
}

function findContradictions(environment: Environment): readonly string[] {
  return [...findUpstreamProblems(environment), ...findStoreProblems(environment), ...findPushProblems(environment)]
}

function toServerConfig(values: Values): ServerConfig {
  return {
    host: values.HOST,
    port: values.PORT,
    services: values.SERVICES,
    databaseUrl: values.DATABASE_URL ?? ownDatabaseUrl(values),
    dataDir: values.DATA_DIR,
    redisUrl: values.REDIS_URL,
    historyUrl: values.HISTORY_URL,
    chains: values.CHAINS,
    rpcProviders: values.RPC_PROVIDERS,
    metrics: toMetricsAddress(values),
    projects: values.PROJECTS,
    relayUrls: values.RELAY_URLS,
    relayLimits: values.RELAY_LIMITS,
    relayMaxTtl: values.RELAY_MAX_TTL,
    messageBytes: values.RELAY_MESSAGE_BYTES,
    relayStore: toRelayStore(values),
    webhooks: values.RELAY_WEBHOOKS,
    upstream: toUpstream(values),
    push: toPushConfig(values),
    limits: values.LIMITS,
    trustedProxies: values.TRUSTED_PROXIES,
    developerWalletUrl: values.DEVELOPER_WALLET_URL,
    wallets: values.WALLETS_FILE,
    brandIcons: values.BRAND_ICONS,
    publicUrl: values.PUBLIC_URL?.replace(/\/+$/, ''),
    ipfsGateway: values.IPFS_GATEWAY,
    names: { zones: values.NAMES_ZONE, signerKey: values.NAMES_SIGNER_KEY ?? values.NAMES_SIGNER_KEY_FILE },
    onRamp: toOnRampConfig(values),
    login: toLoginConfig(values, values.DATA_DIR),
    tracing: toTracingConfig(values),
    logLevel: values.LOG_LEVEL,
    commitHash: values.COMMIT_HASH,
    apiKeysFile: values.API_KEYS_FILE ?? join(values.DATA_DIR, 'api.keys'),
    spamReportThreshold: values.SPAM_REPORT_THRESHOLD,
  }
}

function toMetricsAddress({ METRICS_HOST: host, METRICS_PORT: port, METRICS_TOKEN: token }: Values) {
  return port === undefined ? undefined : { host, port, token }
}

const loopback = ['127.0.0.1', '::1', 'localhost']

/** Metrics name chains and providers and show the load, so other machines need a token. */
function findMetricsProblems({
  METRICS_PORT: port,
  METRICS_HOST: host,
  METRICS_TOKEN: token,
}: Values): readonly string[] {
  if (port === undefined || token !== undefined || loopback.includes(host)) return []
  return ['METRICS_TOKEN: must be set, because other machines can reach METRICS_HOST']
}

/** A process that only runs the services of the embedded wallet needs no database other than theirs. */
function ownDatabaseUrl({ SERVICES, AUTH_DATABASE_URL, SHARES_DATABASE_URL }: Values): string | undefined {
  const hasOtherServices = SERVICES.some((service) => service !== 'auth' && service !== 'shares')
  return hasOtherServices ? undefined : (AUTH_DATABASE_URL ?? SHARES_DATABASE_URL)
}

function withoutBlanks(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''))
}
