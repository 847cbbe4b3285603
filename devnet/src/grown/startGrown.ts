import { setMaxListeners } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ChildEvents } from '../processes/startChild.ts'
import type { GrownPrograms } from './grownPrograms.ts'
import { loopback, readyText, startGrownProcess, type GrownPlace, type GrownProcess } from './grownProcess.ts'
import { startHaproxy, type Haproxy } from './haproxy.ts'
import { startPostgresPair, type PostgresPair } from './postgresPair.ts'

/** The scaled-out layout: three NATS nodes, two PostgreSQL servers, Redis, six server processes, and HAProxy in front. */
export type GrownLayout = {
  /** The URL for browsers and wallets, with TLS. */
  readonly url: string
  readonly relayUrl: string
  readonly nats: readonly GrownProcess[]
  readonly redis: GrownProcess
  readonly postgres: PostgresPair
  readonly relays: readonly GrownProcess[]
  readonly apis: readonly GrownProcess[]
  readonly auth: GrownProcess
  readonly shares: GrownProcess
  readonly proxy: Haproxy
  /** The environment of a process of the server, which the commands of the operator take, too. */
  environment(service: GrownService): Readonly<Record<string, string>>
  /** Writes the addresses of the databases as they are now to the files that the processes read when they start. */
  writeDatabaseUrls(): Promise<void>
  close(): Promise<void>
}

export type GrownService = 'relay' | 'api' | 'auth' | 'shares'

export type GrownOptions = ChildEvents & {
  /** Its content is deleted. PostgreSQL's user must be able to reach it. */
  folder: string
  /** The port of HAProxy; 0 for any free one. */
  port: number
  /** The built entry of the server, `server/dist/main.js`. */
  entry: string
  /** `deploy/proxies/haproxy-grown.cfg`. */
  haproxyExample: string
  programs: GrownPrograms
  mailUrl: string
  /** Further variables of all processes of the server. */
  env?: Readonly<Record<string, string>>
  /** The machines of the processes, by name; this one by default. */
  placeOf?(name: string): GrownPlace
  /** Called with a sentence before each long operation. */
  onProgress?(sentence: string): void
}

const natsNodes = 3
/** One address creates all load of a test. */
const connectionsPerAddress = 100_000
const databases = { relay: 'latchkey', api: 'latchkey', auth: 'latchkey_auth', shares: 'latchkey_shares' } as const
const serverNames = ['relay-1', 'relay-2', 'api-1', 'api-2', 'auth', 'shares'] as const
type ServerName = (typeof serverNames)[number]

/**
 * Starts the layout with empty databases.
 *
 * @throws Error with the last lines of the process that failed; the others are stopped
 * @example const grown = await startGrown({ folder, port: 4643, entry, haproxyExample, programs, mailUrl })
 */
export async function startGrown(options: GrownOptions): Promise<GrownLayout> {
  const { folder } = options
  // Each process listens to it.
  if (options.signal !== undefined) setMaxListeners(0, options.signal)
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'server'), { recursive: true })
  const parts: Closable[] = []
  const close = async (): Promise<void> => {
    for (const part of parts.splice(0).toReversed()) await part.close()
  }
  const own: OwnResource = (part) => {
    parts.push(part)
    return part
  }
  try {
    const stores = await startStores(options, own)
    const ports = new Map<ServerName, number>()
    for (const name of serverNames) ports.set(name, await findPort())
    const proxy = own(await startProxy(options, ports))
    const url = `https://127.0.0.1:${proxy.port}`
    const environment = (service: GrownService) =>
      serverEnvironment(options, service, { url, ...stores, certificate: proxy.certificate })
    const writeDatabaseUrls = async (): Promise<void> => {
      for (const [service, database] of Object.entries(databases)) {
        await writeFile(join(folder, `database-${service}`), stores.postgres.url(database), { mode: 0o600 })
      }
    }
    await writeDatabaseUrls()
    const start = async (name: ServerName): Promise<GrownProcess> => {
      options.onProgress?.(`Starting ${name} …`)
      return own(await startGrownServer(options, { name, port: ports.get(name) ?? 0 }, environment(serviceOf(name))))
    }
    const auth = await start('auth')
    const shares = await start('shares')
    const relays = [await start('relay-1'), await start('relay-2')]
    const apis = [await start('api-1'), await start('api-2')]
    const relayUrl = `${url.replace('https', 'wss')}/relay`
    return { url, relayUrl, ...stores, relays, apis, auth, shares, proxy, environment, writeDatabaseUrls, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Closable = { close(): Promise<void> }
/** Closes a part when the layout closes, the last one first. */
type OwnResource = <part extends Closable>(part: part) => part

async function startStores(
  options: GrownOptions,
  own: OwnResource,
): Promise<Pick<GrownLayout, 'nats' | 'redis' | 'postgres'>> {
  const { folder, programs, onProgress } = options
  onProgress?.('Starting three NATS nodes with JetStream …')
  const nats = await startNats(options)
  nats.forEach(own)
  onProgress?.('Starting Redis, which holds the shared rate limits …')
  const redis = own(await startRedis(options))
  onProgress?.('Starting PostgreSQL with a synchronous replica …')
  const postgres = own(
    await startPostgresPair({
      ...pickEvents(options),
      programs: programs.postgres,
      folder: join(folder, 'postgres'),
      ports: { primary: await findPort(), replica: await findPort() },
      place: placeOf(options, 'postgres'),
      databases: [...new Set(Object.values(databases))],
    }),
  )
  return { nats, redis, postgres }
}

async function startProxy(options: GrownOptions, ports: ReadonlyMap<ServerName, number>): Promise<Haproxy> {
  options.onProgress?.('Starting HAProxy with TLS …')
  const servers = serverNames.map(
    (name) => [name, { host: placeOf(options, name).host, port: ports.get(name) ?? 0 }] as const,
  )
  return startHaproxy({
    ...pickEvents(options),
    program: options.programs.haproxy,
    example: options.haproxyExample,
    folder: options.folder,
    port: options.port === 0 ? await findPort() : options.port,
    servers: new Map(servers),
    connectionsPerAddress,
  })
}

function placeOf({ placeOf: find }: GrownOptions, name: string): GrownPlace {
  return find?.(name) ?? loopback
}

function serviceOf(name: ServerName): GrownService {
  if (name === 'auth' || name === 'shares') return name
  return name.startsWith('relay') ? 'relay' : 'api'
}

function pickEvents({ onProcess, onExit, signal }: ChildEvents): ChildEvents {
  return { ...(onProcess && { onProcess }), ...(onExit && { onExit }), ...(signal && { signal }) }
}

async function startNats(options: GrownOptions): Promise<readonly GrownProcess[]> {
  const nodes = await Promise.all(
    Array.from({ length: natsNodes }, async (_, index) => {
      const name = `nats-${index + 1}`
      return { name, place: placeOf(options, name), port: await findPort(), clusterPort: await findPort() }
    }),
  )
  const routes = nodes.map(({ place, clusterPort }) => `nats://${place.host}:${clusterPort}`).join(',')
  return Promise.all(
    nodes.map(({ name, place, port, clusterPort }) => {
      const listen = ['-a', place.host, '-p', `${port}`, '-n', name, '-js', '-sd', join(options.folder, name)]
      const cluster = [
        '--cluster_name',
        'latchkey',
        '--cluster',
        `nats://${place.host}:${clusterPort}`,
        '--routes',
        routes,
      ]
      return startGrownProcess({
        ...pickEvents(options),
        name,
        place,
        port,
        command: options.programs.nats,
        args: [...listen, ...cluster],
        isReady: readyText('Server is ready'),
      })
    }),
  )
}

async function startRedis(options: GrownOptions): Promise<GrownProcess> {
  const place = placeOf(options, 'redis')
  const port = await findPort()
  // Other machines of a test reach it, too, and rate limits need no files.
  const access = ['--bind', place.host, '--protected-mode', 'no', '--save', '', '--appendonly', 'no']
  return startGrownProcess({
    ...pickEvents(options),
    name: 'redis',
    place,
    port,
    command: options.programs.redis,
    args: ['--port', `${port}`, ...access],
    isReady: readyText('Ready to accept connections'),
  })
}

type SharedServices = {
  url: string
  nats: readonly GrownProcess[]
  redis: GrownProcess
  certificate: string
}

function serverEnvironment(
  { folder, mailUrl, env }: GrownOptions,
  service: GrownService,
  { url, nats, redis, certificate }: SharedServices,
): Readonly<Record<string, string>> {
  const isKeyService = service === 'auth' || service === 'shares'
  const databaseVariable = isKeyService ? `${service.toUpperCase()}_DATABASE_URL_FILE` : 'DATABASE_URL_FILE'
  return {
    SERVICES: service,
    [databaseVariable]: join(folder, `database-${service}`),
    DATA_DIR: join(folder, 'server'),
    REDIS_URL: `redis://${redis.host}:${redis.port}`,
    ...(service === 'relay' && {
      RELAY_STORE_URL: `nats://${nats.map(({ host, port }) => `${host}:${port}`).join(',')}`,
    }),
    ...(isKeyService && { MAIL_URL: mailUrl, AUTH_URL: url, SHARES_URL: url }),
    PUBLIC_URL: url,
    TRUSTED_PROXIES: '1',
    LIMITS: 'local',
    LOG_LEVEL: 'warn',
    // The services call each other through HAProxy, whose certificate no authority signed.
    NODE_EXTRA_CA_CERTS: certificate,
    ...env,
  }
}

function startGrownServer(
  options: GrownOptions,
  { name, port }: { name: ServerName; port: number },
  environment: Readonly<Record<string, string>>,
): Promise<GrownProcess> {
  const place = placeOf(options, name)
  return startGrownProcess({
    ...pickEvents(options),
    name,
    place,
    port,
    command: process.execPath,
    args: [options.entry],
    env: { ...environment, HOST: place.host, PORT: `${port}` },
    isReady: { inMessage: (message) => (isReadyMessage(message) ? true : undefined) },
  })
}

function isReadyMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'ready' in message
}

/** Another program may take the port before it is used, which then fails with a sentence. */
async function findPort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has this type.
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}
