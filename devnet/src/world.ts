import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Network } from '@latchkey/protocol'
import { onRampKey } from './accounts.ts'
import { startLocalBitcoin } from './bitcoin/localBitcoin.ts'
import type { ChildEvents } from './childProcess.ts'
import { startChains, type LocalChain, type LocalChains } from './chains.ts'
import type { LocalToken } from './deploy.ts'
import { exchangeConfig } from './exchange/exchangeConfig.ts'
import { startLocalPolkadot } from './polkadot/localPolkadot.ts'
import { connectNames, localZone } from './names/deployNames.ts'
import { keepSignerKey } from './names/signerKey.ts'
import { serveApp, type AppOptions, type SiteHandler } from './serveApp.ts'
import { startServerProcess } from './serverProcess.ts'
import { startFarcaster } from './farcaster/startFarcaster.ts'
import { startIdentity } from './identity/startIdentity.ts'
import { startMailbox } from './mail/startMailbox.ts'
import { openSite, type Site } from './sites.ts'
import { startSmartServices, type SmartServices } from './smart/startSmartServices.ts'
import { startSolana, type LocalSolana } from './solana/startSolana.ts'

/** The ports of the local world; 0 takes any free one. */
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
}

export type WorldUrls = {
  web: string
  wallet: string
  server: string
  relay: string
  /** The secure site of the embedded wallet. */
  frame: string
  /** The inbox that all mail of this world arrives in. */
  mailbox: string
  /** Where one may be whoever one likes: the providers of social logins. */
  identity: string
  evm: string
  evm2: string
  /** Absent where the runtime of Solana is not installed: it is there for few platforms. */
  solana?: string
  bitcoin: string
  polkadot: string
}

/** What both apps are told about the world around them. */
export type WorldConfig = {
  projectId: string
  server: string
  relay: string
  frame: string
  web: string
  wallet: string
  networks: readonly Network[]
  tokens: ReadonlyArray<Omit<LocalToken, 'address'> & { address: string; caipNetworkId: string }>
}

/** An app that is to be served, and the site that it is served on. */
export type WorldApp = AppOptions & { name: 'web' | 'wallet'; site: Site }

export type WorldOptions = ChildEvents & {
  /** Where chains and database are kept between starts. */
  dataDir: string
  ports?: Partial<WorldPorts>
  /** The repository's root, where the built apps and server are. */
  root?: string
  /** Told to the server besides, and in the place of, what this world tells it. */
  env?: Readonly<Record<string, string>>
  /** Told what failed beside the start, in a sentence. */
  told?(sentence: string): void
  /** Answers for an app in place of what was built. */
  serve?(app: WorldApp): SiteHandler | Promise<SiteHandler>
}

export type World = {
  urls: WorldUrls
  /** What is not there, and why, in a sentence each. */
  missing: readonly string[]
  /** Ends the server and starts what is built now, at the same address; a failure leaves the rest of the world up. */
  restartServer(): Promise<void>
  /** Starts ahead what else starts when it is first asked, as far as it is installed. */
  warm(): Promise<void>
  close(): Promise<void>
}

/** Names this deployment to its own server and relay, which take any well-formed id from this machine. */
const projectId = '1a7c4e1000000000000000000000c0de'

/**
 * Starts the local world: chains, server, developer wallet and web app. What was started is stopped again when
 * one of them fails.
 *
 * @throws Error with a sentence about the part that failed.
 * @example const world = await startWorld({ dataDir: '.latchkey/data', ports: { web: 4600 } })
 */
export async function startWorld(options: WorldOptions): Promise<World> {
  const { dataDir, ports = {}, root = repository(), serve = serveApp, env = {}, told, ...events } = options
  const { web = 0, wallet = 0, server = 0, evm = 0, evm2 = 0, solana: solanaPort = 0, ...more } = ports
  const closers: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).toReversed()) await stop()
  }
  try {
    await mkdir(dataDir, { recursive: true })
    const webSite = await openSite(web)
    closers.push(webSite.close)
    const walletSite = await openSite(wallet)
    closers.push(walletSite.close)
    const local = await startChains({ ports: { evm, evm2 }, stateDir: dataDir, ...events })
    closers.push(local.close)
    const solana = await startSolana({ port: solanaPort, stateFile: join(dataDir, 'solana.jsonl') })
    if (solana !== undefined) closers.push(solana.close)
    const bitcoin = await startLocalBitcoin({ port: more.bitcoin })
    closers.push(bitcoin.close)
    const polkadot = await startLocalPolkadot({ port: more.polkadot })
    closers.push(polkadot.close)

    const mail = await startMailbox({ port: more.mailbox })
    closers.push(mail.close)
    const identity = await startIdentity({ port: more.identity })
    closers.push(identity.close)
    const farcaster = await startFarcaster({ rpcUrl: local.chains[0].rpcUrl })
    closers.push(farcaster.close)
    const smart = await startSmartServices({
      chains: local.chains.map(({ network, rpcUrl, smartAccounts }) => ({
        chainId: Number(network.id),
        rpcUrl,
        smartAccounts,
      })),
      told,
      ...events,
    })
    closers.push(smart.close)

    const signerKeyFile = join(dataDir, 'names-signer.key')
    const signer = await keepSignerKey(signerKeyFile)
    const api = await startServerProcess({
      entry: join(root, 'server/dist/main.js'),
      port: server,
      env: {
        ...(await serverEnvironment(dataDir, { chains: local.chains, solana, smart }, walletSite.url)),
        NAMES_ZONE: localZone,
        NAMES_SIGNER_KEY_FILE: signerKeyFile,
        MAIL_URL: mail.smtpUrl,
        SOCIALS: JSON.stringify(identity.socials),
        FARCASTER_RPC_URL: farcaster.rpcUrl,
        FARCASTER_APP_URL: farcaster.appUrl,
        FRAME_DIR: join(root, 'apps/frame/dist'),
        FRAME_PORT: String(more.frame ?? 0),
        ...env,
      },
      ...events,
    })
    closers.push(api.close)
    await Promise.all(local.chains.map(({ rpcUrl }) => connectNames(rpcUrl, signer, api.url)))

    const urls = {
      ...gatherUrls(webSite, walletSite, api.url, local.chains),
      // The server was told to have one.
      frame: api.frameUrl ?? '',
      mailbox: mail.url,
      identity: identity.url,
      solana: solana?.rpcUrl,
      bitcoin: bitcoin.rpcUrl,
      polkadot: polkadot.rpcUrl,
    }
    const app = {
      config: configure(urls, local.chains, solana, [bitcoin.network, polkadot.network]),
      connect: [
        urls.server,
        new URL(urls.relay).origin,
        urls.evm,
        urls.evm2,
        ...(solana === undefined ? [] : [solana.rpcUrl, solana.wsUrl]),
        urls.bitcoin,
        urls.polkadot,
      ],
      images: [urls.server],
      frames: [urls.frame],
    }
    walletSite.answer(await serve({ ...app, name: 'wallet', site: walletSite, root: join(root, 'apps/wallet/dist') }))
    webSite.answer(await serve({ ...app, name: 'web', site: webSite, root: join(root, 'apps/web/dist') }))

    const missing = solana === undefined ? ['Solana is missing: its runtime (litesvm) is not installed here.'] : []
    return { urls, missing, restartServer: api.restart, warm: smart.warm, close }
  } catch (error) {
    await close()
    throw error
  }
}

function gatherUrls(
  { url: web }: Site,
  { url: wallet }: Site,
  server: string,
  [{ rpcUrl: evm }, { rpcUrl: evm2 }]: LocalChains['chains'],
): Omit<WorldUrls, 'solana' | 'bitcoin' | 'polkadot' | 'frame' | 'mailbox' | 'identity'> {
  return { web, wallet, server, relay: `${server.replace(/^http/, 'ws')}/relay`, evm, evm2 }
}

function configure(
  urls: WorldUrls,
  evmChains: readonly LocalChain[],
  solana: LocalSolana | undefined,
  others: readonly Network[],
): WorldConfig {
  const { server, relay, frame, web, wallet } = urls
  const chains = [...evmChains, ...(solana === undefined ? [] : [solana])]
  const tokens = chains.flatMap(({ network: { caipNetworkId }, tokens: deployed }) =>
    deployed.map((token) => ({ caipNetworkId, ...token })),
  )
  const networks = [...chains.map(({ network }) => network), ...others]
  return { projectId, server, relay, frame, web, wallet, networks, tokens }
}

/** What the sandbox's on-ramp sells for: nothing tells prices here, and it would sell nothing without. */
const rates = {
  ETH: { USD: '2500', EUR: '2300' },
  LUSD: { USD: '1', EUR: '0.92' },
  KEY: { USD: '4', EUR: '3.68' },
}

/** What the server is told, all but its port. */
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
    // Webhooks of somebody who tries them listen on this machine.
    RELAY_WEBHOOKS: 'any',
    SERVICES: 'relay,api,auth,shares,frame',
    DEVELOPER_WALLET_URL: walletUrl,
    ONRAMP_SANDBOX_KEY: onRampKey,
    ONRAMP_SANDBOX_RATES: JSON.stringify(rates),
  }
}

function repository(): string {
  return fileURLToPath(new URL('../..', import.meta.url))
}
