import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChains, type LocalChain } from './chains.ts'
import { startServerProcess } from './serverProcess.ts'
import { freePort } from './ports.ts'
import { startSite } from './sites.ts'

/** The ports of the local world; 0 takes any free one. */
export type WorldPorts = { web: number; wallet: number; server: number; evm: number; evm2: number }

export type WorldUrls = { web: string; wallet: string; server: string; relay: string; evm: string; evm2: string }

export type WorldOptions = {
  /** Where chains and database are kept between starts. */
  dataDir: string
  ports?: Partial<WorldPorts>
  /** The repository's root, where the built apps and server are. */
  root?: string
  /** Called when a part ends by itself: what it is, and its last words. */
  onExit?(part: string, reason: string): void
}

export type World = {
  urls: WorldUrls
  /** Ids of the processes, to be able to say later what is left over. */
  pids: readonly number[]
  close(): Promise<void>
}

/** Names this deployment to its own server and relay, which take any well-formed id from this machine. */
const projectId = '1a7c4e1000000000000000000000c0de'

/**
 * Starts the local world: chains, server, developer wallet and web app. What was started is stopped again when
 * one of them fails.
 *
 * @throws Error with a sentence about the part that failed.
 */
export async function startWorld({ dataDir, ports = {}, root = repository(), onExit }: WorldOptions): Promise<World> {
  const { web = 0, wallet = 0, server = 0, evm = 0, evm2 = 0 } = ports
  const closers: Array<() => Promise<void>> = []
  const close = async (): Promise<void> => {
    for (const stop of closers.splice(0).reverse()) await stop()
  }
  try {
    await mkdir(dataDir, { recursive: true })
    const local = await startChains({ ports: [evm, evm2], stateDir: dataDir, onExit })
    closers.push(local.close)
    // The server's wallet list names the developer wallet before that is up.
    const walletPort = wallet === 0 ? await freePort() : wallet
    const walletUrl = `http://127.0.0.1:${walletPort}`
    const chainsFile = join(dataDir, 'chains.json')
    await writeFile(chainsFile, JSON.stringify(local.chains.map(forServer), null, 2))
    const api = await startServerProcess({
      entry: join(root, 'server/dist/main.js'),
      env: {
        HOST: '127.0.0.1',
        PORT: String(server),
        DATA_DIR: dataDir,
        CHAINS_FILE: chainsFile,
        PROJECTS: 'any',
        LIMITS: 'local',
        DEVELOPER_WALLET_URL: walletUrl,
      },
      onExit: (reason) => onExit?.('The server', reason),
    })
    closers.push(api.close)
    const relay = `${api.url.replace(/^http/, 'ws')}/relay`
    const config = {
      projectId,
      server: api.url,
      relay,
      wallet: walletUrl,
      networks: local.chains.map(({ network }) => network),
      tokens: local.chains.flatMap(({ network, tokens }) =>
        tokens.map((token) => ({ caipNetworkId: network.caipNetworkId, ...token })),
      ),
    }
    const connect = [api.url, new URL(relay).origin, ...local.chains.map(({ rpcUrl }) => rpcUrl)]
    const site = { config, connect, images: [api.url] }
    const walletSite = await startSite({ ...site, root: join(root, 'apps/wallet/dist'), port: walletPort })
    closers.push(walletSite.close)
    const webSite = await startSite({ ...site, root: join(root, 'apps/web/dist'), port: web })
    closers.push(webSite.close)
    const [first, second] = local.chains.map(({ rpcUrl }) => rpcUrl)
    return {
      urls: { web: webSite.url, wallet: walletSite.url, server: api.url, relay, evm: first ?? '', evm2: second ?? '' },
      pids: [...local.chains.map(({ pid }) => pid), api.pid],
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** What the server has to know of a chain. */
function forServer({ network, rpcUrl, tokens }: LocalChain): object {
  const { caipNetworkId, name, nativeCurrency } = network
  return { caipNetworkId, name, nativeCurrency, rpcUrls: [rpcUrl], tokens }
}

function repository(): string {
  return fileURLToPath(new URL('../..', import.meta.url))
}
