import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Network } from '@latchkey/protocol'
import { onRampKey } from './accounts.ts'
import { startLocalBitcoin, type LocalBitcoin } from './bitcoin/localBitcoin.ts'
import type { ChildEvents } from './processes/startChild.ts'
import { startChains, type LocalChain, type LocalChains } from './evm/chains.ts'
import type { LocalToken } from './evm/deploy.ts'
import { exchangeConfig } from './exchange/exchangeConfig.ts'
import { startLocalPolkadot, type LocalPolkadot } from './polkadot/localPolkadot.ts'
import { connectNames, localZone } from './names/deployNames.ts'
import { keepSignerKey } from './names/signerKey.ts'
import { renderPages } from './sites/renderPages.ts'
import { serveDocs } from './sites/serveDocs.ts'
import { serveApp, type AppOptions, type SiteHandler } from './sites/serveApp.ts'
import { startServerProcess, type ServerProcess } from './processes/serverProcess.ts'
import { startFarcaster, type LocalFarcaster } from './farcaster/startFarcaster.ts'
import { startIdentity, type LocalIdentity } from './identity/startIdentity.ts'
import { startMailbox, type LocalMailbox } from './mail/startMailbox.ts'
import { openSite, type Site } from './sites/sites.ts'
import { startSmartServices, type SmartServices } from './smart/startSmartServices.ts'
import { startSolana, type LocalSolana } from './solana/startSolana.ts'

/** The ports of the local world; 0 selects a free port. */
export type WorldPorts = {
  web: number
  wallet: number
  server: number
  evm: number
  evm2: number
  solana: number
  bitcoin: number
  polkadot: number
  frame: number
  mailbox: number
  identity: number
  docs: number
}

export type WorldUrls = {
  web: string
  wallet: string
  server: string
  relay: string
  /** The embedded wallet's frame. */
  frame: string
  /** The inbox that receives all mail of this world. */
  mailbox: string
  /** The identity providers of social logins, with accounts for tests. */
  identity: string
  evm: string
  evm2: string
  /** Missing if the Solana runtime is not installed; it exists for few platforms. */
  solana?: string
  bitcoin: string
  polkadot: string
  /** The documentation. It may not be built yet. */
  docs: string
}

/** The configuration of both apps. */
export type WorldConfig = {
  projectId: string
  server: string
  relay: string
  frame: string
  /** The auth service and the share store, if the environment of the server names other addresses. */
  auth?: string | undefined
  shares?: string | undefined
  web: string
  wallet: string
  mailbox: string
  docs: string
  /** The bundler of the first EVM chain. */
  bundler: string
  networks: readonly Network[]
  tokens: ReadonlyArray<Omit<LocalToken, 'address'> & { address: string; caipNetworkId: string }>
}

/** An app, and the site that serves it. */
export type WorldApp = AppOptions & { name: 'web' | 'wallet'; site: Site }

export type WorldOptions = ChildEvents & {
  /** The folder that keeps chains and database between starts. */
  dataDir: string
  ports?: Partial<WorldPorts>
  /** The repository's folder, which contains the built apps and server. */
  root?: string
  /** Environment of the server; overrides that of this world. */
  env?: Readonly<Record<string, string>>
  /** Called with a sentence when something fails after the start. */
  onProgress?(sentence: string): void
  /** Serves an app instead of its build, for example with Vite. */
  serve?(app: WorldApp): SiteHandler | Promise<SiteHandler>
  /** Serves the documentation instead of its build. */
  serveDocumentation?(site: Site): SiteHandler
}

export type World = {
  urls: WorldUrls
  /** One sentence per missing part, with the reason. */
  missing: readonly string[]
  /** Restarts the server from its current build, at the same address. If it fails, the rest of the world keeps running. */
  restartServer(): Promise<void>
  /** Starts services that normally start with their first request, if they are installed. */
  warm(): Promise<void>
  close(): Promise<void>
}

/** The project id of this deployment. Its server and relay accept any well-formed id from this machine. */
const projectId = '1a7c4e1000000000000000000000c0de'

/**
 * Starts the local world: chains, server, developer wallet and web app. If one part fails, all others are stopped again.
 *
 * @throws Error with a sentence about the part that failed.
 * @example const world = await startWorld({ dataDir: '.latchkey/data', ports: { web: 4600 } })
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { dataDir, ports = {}, root = repositoryRoot(), serve = serveApp } = options
  const closers: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).toReversed()) await stop()
  }
  const keep: KeepService = async (starting) => {
    const service = await starting
    closers.push(service.close)
    return service
  }
  try {
    await mkdir(dataDir, { recursive: true })
    const sites = {
      web: await keep(openSite(ports.web ?? 0)),
      wallet: await keep(openSite(ports.wallet ?? 0)),
      docs: await keep(openSite(ports.docs ?? 0)),
    }
    const chains = await startNetworks(options, keep)
    const services = await startServices(options, chains, keep)
    // The server reads the key file when it starts.
    const signer = await keepSignerKey(signerKeyFile(dataDir))
    const server = await keep(startWorldServer(options, root, { chains, services, walletUrl: sites.wallet.url }))
    await Promise.all(chains.evm.map(({ rpcUrl }) => connectNames(rpcUrl, signer, server.url)))

    const urls = gatherUrls(sites, server, chains, services)
    const { AUTH_URL: auth, SHARES_URL: shares } = options.env ?? {}
    const app = createAppOptions(urls, chains, services.smart, { auth, shares })
    for (const name of ['wallet', 'web'] as const) {
      const site = sites[name]
      const pages = await renderPages(join(root, '.latchkey', name, 'renderPages.js'), app.config)
      site.respond(await serve({ ...app, pages, name, site, root: join(root, 'apps', name, 'dist') }))
    }
    sites.docs.respond(options.serveDocumentation?.(sites.docs) ?? serveDocs(join(root, 'apps/docs/dist')))
    const missing =
      chains.solana === undefined ? ['Solana is missing: its runtime (litesvm) is not installed here.'] : []
    return { urls, missing, restartServer: server.restart, warm: services.smart.warm, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Waits for a service and registers it to be closed with the world. */
type KeepService = <service extends { close(): Promise<void> }>(starting: Promise<service>) => Promise<service>

type Networks = {
  readonly evm: LocalChains['chains']
  readonly solana: LocalSolana | undefined
  readonly bitcoin: LocalBitcoin
  readonly polkadot: LocalPolkadot
}

async function startNetworks({ dataDir, ports = {}, ...options }: WorldOptions, keep: KeepService): Promise<Networks> {
  const { evm = 0, evm2 = 0, solana: solanaPort = 0, bitcoin, polkadot } = ports
  const local = await keep(startChains({ ports: { evm, evm2 }, stateDir: dataDir, ...childEvents(options) }))
  const solana = await startSolana({ port: solanaPort, stateFile: join(dataDir, 'solana.jsonl') })
  return {
    evm: local.chains,
    solana: solana && (await keep(Promise.resolve(solana))),
    bitcoin: await keep(startLocalBitcoin({ port: bitcoin })),
    polkadot: await keep(
      startLocalPolkadot({ port: polkadot, onProgress: options.onProgress, ...childEvents(options) }),
    ),
  }
}

type Services = {
  readonly mailbox: LocalMailbox
  readonly identity: LocalIdentity
  readonly farcaster: LocalFarcaster
  readonly smart: SmartServices
}

async function startServices(options: WorldOptions, { evm }: Networks, keep: KeepService): Promise<Services> {
  const { ports = {}, onProgress } = options
  return {
    mailbox: await keep(startMailbox({ port: ports.mailbox })),
    identity: await keep(startIdentity({ port: ports.identity })),
    farcaster: await keep(startFarcaster({ rpcUrl: evm[0].rpcUrl })),
    smart: await keep(
      startSmartServices({
        chains: evm.map(({ network, rpcUrl, smartAccounts }) => ({
          chainId: Number(network.id),
          rpcUrl,
          smartAccounts,
        })),
        onProgress,
        ...childEvents(options),
      }),
    ),
  }
}

function childEvents({ onProcess, onExit, signal }: ChildEvents): ChildEvents {
  return { onProcess, onExit, signal }
}

async function startWorldServer(
  options: WorldOptions,
  root: string,
  { chains, services, walletUrl }: { chains: Networks; services: Services; walletUrl: string },
): Promise<ServerProcess> {
  const { dataDir, ports = {}, env = {} } = options
  const { mailbox, identity, farcaster, smart } = services
  return startServerProcess({
    entry: join(root, 'server/dist/main.js'),
    port: ports.server ?? 0,
    env: {
      ...(await serverEnvironment(dataDir, { chains: chains.evm, solana: chains.solana, smart }, walletUrl)),
      NAMES_ZONE: localZone,
      NAMES_SIGNER_KEY_FILE: signerKeyFile(dataDir),
      MAIL_URL: mailbox.smtpUrl,
      SOCIALS: JSON.stringify(identity.socials),
      FARCASTER_RPC_URL: farcaster.rpcUrl,
      FARCASTER_RELAY_URL: farcaster.relayUrl,
      FRAME_DIR: join(root, 'apps/frame/dist'),
      FRAME_PORT: String(ports.frame ?? 0),
      ...env,
    },
    ...childEvents(options),
  })
}

function signerKeyFile(dataDir: string): string {
  return join(dataDir, 'names-signer.key')
}

function gatherUrls(
  { web, wallet, docs }: Record<'web' | 'wallet' | 'docs', Site>,
  server: ServerProcess,
  { evm, solana, bitcoin, polkadot }: Networks,
  { mailbox, identity }: Services,
): WorldUrls {
  return {
    web: web.url,
    wallet: wallet.url,
    server: server.url,
    relay: `${server.url.replace(/^http/, 'ws')}/relay`,
    evm: evm[0].rpcUrl,
    evm2: evm[1].rpcUrl,
    // The server was configured to have one.
    frame: server.frameUrl ?? '',
    mailbox: mailbox.url,
    identity: identity.url,
    solana: solana?.rpcUrl,
    bitcoin: bitcoin.rpcUrl,
    polkadot: polkadot.rpcUrl,
    docs: docs.url,
  }
}

function createAppOptions(
  urls: WorldUrls,
  chains: Networks,
  smart: SmartServices,
  hosts: Pick<WorldConfig, 'auth' | 'shares'>,
): Pick<WorldApp, 'config' | 'connect' | 'images' | 'frames'> {
  const { evm, solana, bitcoin, polkadot } = chains
  const solanaUrls = solana === undefined ? [] : [solana.rpcUrl, solana.wsUrl]
  const bundler = smart.bundlerUrl(Number(evm[0].network.id))
  return {
    config: { ...createWorldConfig(urls, evm, solana, [bitcoin.network, polkadot.network]), bundler, ...hosts },
    connect: [
      urls.server,
      new URL(urls.relay).origin,
      urls.evm,
      urls.evm2,
      ...solanaUrls,
      urls.bitcoin,
      urls.polkadot,
      urls.frame,
      urls.mailbox,
      new URL(bundler).origin,
      ...Object.values(hosts).filter((url) => url !== undefined),
    ],
    images: [urls.server],
    frames: [urls.frame],
  }
}

function createWorldConfig(
  urls: WorldUrls,
  evmChains: readonly LocalChain[],
  solana: LocalSolana | undefined,
  others: readonly Network[],
): Omit<WorldConfig, 'bundler'> {
  const { server, relay, frame, web, wallet, mailbox, docs } = urls
  const chains = [...evmChains, ...(solana === undefined ? [] : [solana])]
  const tokens = chains.flatMap(({ network: { caipNetworkId }, tokens: deployed }) =>
    deployed.map((token) => ({ caipNetworkId, ...token })),
  )
  const networks = [...chains.map(({ network }) => network), ...others]
  return { projectId, server, relay, frame, web, wallet, mailbox, docs, networks, tokens }
}

/** The prices of the sandbox's on-ramp: the local world has no price source. */
const rates = {
  ETH: { USD: '2500', EUR: '2300' },
  LUSD: { USD: '1', EUR: '0.92' },
  KEY: { USD: '4', EUR: '3.68' },
}

/** The environment of the server, except its port. */
async function serverEnvironment(
  dataDir: string,
  { chains, solana, smart }: { chains: readonly LocalChain[]; solana: LocalSolana | undefined; smart: SmartServices },
  walletUrl: string,
): Promise<Readonly<Record<string, string>>> {
  const chainsFile = join(dataDir, 'chains.json')
  const describe = ({ network, rpcUrl, tokens }: Pick<LocalSolana, 'network' | 'rpcUrl' | 'tokens'>) => {
    const { caipNetworkId, name, nativeCurrency } = network
    return { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens }
  }
  const described = [
    ...chains.map((chain) => ({
      ...describe(chain),
      wsUrls: [chain.rpcUrl.replace(/^http/, 'ws')],
      index: { from: 0 },
      exchange: exchangeConfig(chain),
      smartAccounts: {
        entryPoint: chain.smartAccounts.entryPoint,
        factory: chain.smartAccounts.factory,
        delegations: chain.smartAccounts.delegations,
        bundlerUrl: smart.bundlerUrl(Number(chain.network.id)),
        paymasterUrl: smart.paymasterUrl,
      },
      pricePools: { stable: chain.tokens.find(({ symbol }) => symbol === 'LUSD')?.address },
    })),
    ...(solana === undefined ? [] : [describe(solana)]),
  ]
  await writeFile(chainsFile, JSON.stringify(described, null, 2))
  return {
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    CHAINS_FILE: chainsFile,
    PROJECTS: 'any',
    LIMITS: 'local',
    // Webhooks of local experiments listen on this machine.
    RELAY_WEBHOOKS: 'any',
    SERVICES: 'relay,api,auth,shares,frame',
    DEVELOPER_WALLET_URL: walletUrl,
    ONRAMP_SANDBOX_KEY: onRampKey,
    ONRAMP_SANDBOX_RATES: JSON.stringify(rates),
  }
}

function repositoryRoot(): string {
  return fileURLToPath(new URL('../..', import.meta.url))
}
