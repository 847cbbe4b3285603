import { join } from 'node:path'
import type { Network } from '@latchkey/protocol'
import { startAnvil, type Anvil } from './anvil.ts'
import type { ChildEvents } from './childProcess.ts'
import { deploy, type Contracts } from './deploy.ts'
import { deployExchange, type LocalExchange } from './exchange/deployExchange.ts'
import { deployNames } from './names/deployNames.ts'
import { deploySmartAccounts, type LocalSmartAccounts } from './smart/deploySmartAccounts.ts'

/** A chain of the local world with what is deployed on it. */
export type LocalChain = Contracts & {
  network: Network
  rpcUrl: string
  exchange: LocalExchange
  smartAccounts: LocalSmartAccounts
}

export type LocalChains = { chains: readonly [LocalChain, LocalChain]; close(): Promise<void> }

export type ChainsOptions = ChildEvents & {
  /** 0 takes any free one. */
  ports?: { evm: number; evm2: number }
  /** Where the chains are kept between starts; nowhere when left out. */
  stateDir?: string
}

const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 } as const

/**
 * Starts the EVM chains of the local world and deploys their contracts, or finds those of an earlier start.
 *
 * @example const { chains, close } = await startChains({ ports: { evm: 8545, evm2: 8546 }, stateDir: '.latchkey/data' })
 */
export async function startChains(options: ChainsOptions = {}): Promise<LocalChains> {
  const { ports = { evm: 0, evm2: 0 }, stateDir, ...events } = options
  const nodes: Anvil[] = []
  const close = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.close())))

  const start = async (id: number, name: string, port: number): Promise<LocalChain> => {
    const stateFile = stateDir === undefined ? undefined : join(stateDir, `evm-${id}.json`)
    const node = await startAnvil({ chainId: id, port, stateFile, ...events })
    nodes.push(node)
    const { rpcUrl } = node
    const contracts = await deploy(rpcUrl, id)
    const exchange = await deployExchange(rpcUrl, contracts.tokens)
    const ensUniversalResolver = { address: await deployNames(rpcUrl) }
    const network = { ...describe(id, name, rpcUrl), contracts: { ensUniversalResolver } }
    const smartAccounts = await deploySmartAccounts(rpcUrl)
    return { network, rpcUrl, ...contracts, exchange, smartAccounts }
  }
  const starting = [start(31337, 'Latchkey Local', ports.evm), start(31338, 'Latchkey Second', ports.evm2)] as const
  try {
    return { chains: await Promise.all(starting), close }
  } catch (error) {
    // The other one may be there only in a moment.
    await Promise.allSettled(starting)
    await close()
    throw error
  }
}

/** Not marked as a test network: people are to see here what they will see on a real one. */
function describe(id: number, name: string, rpcUrl: string): Network {
  return {
    id,
    name,
    caipNetworkId: `eip155:${id}`,
    chainNamespace: 'eip155',
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] }, chainDefault: { http: [rpcUrl] } },
  }
}
