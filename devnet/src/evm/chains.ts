import { join } from 'node:path'
import type { Network } from '@latchkey/protocol'
import { startAnvil, type Anvil } from './anvil.ts'
import type { ChildEvents } from '../processes/startChild.ts'
import { deploy, type Contracts } from './deploy.ts'
import { deployExchange } from '../exchange/deployExchange.ts'
import type { LocalExchange } from '../exchange/localExchange.ts'
import { deployNames } from '../names/deployNames.ts'
import { deploySmartAccounts, type LocalSmartAccounts } from '../smart/deploySmartAccounts.ts'

/** A chain of the local world with its deployed contracts. */
export type LocalChain = Contracts & {
  network: Network
  rpcUrl: string
  exchange: LocalExchange
  smartAccounts: LocalSmartAccounts
}

export type LocalChains = { chains: readonly [LocalChain, LocalChain]; close(): Promise<void> }

export type ChainsOptions = ChildEvents & {
  /** 0 selects a free port. */
  ports?: { evm: number; evm2: number }
  /** The folder that keeps the chains between starts. Without it they are lost at the end. */
  stateDir?: string
}

const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 } as const

/**
 * Starts the EVM chains of the local world and deploys their contracts, unless an earlier start has deployed them.
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
    const network = { ...describeNetwork(id, name, rpcUrl), contracts: { ensUniversalResolver } }
    const smartAccounts = await deploySmartAccounts(rpcUrl)
    return { network, rpcUrl, ...contracts, exchange, smartAccounts }
  }
  const starting = [start(31337, 'Latchkey Local', ports.evm), start(31338, 'Latchkey Second', ports.evm2)] as const
  try {
    return { chains: await Promise.all(starting), close }
  } catch (error) {
    // The other one may start a moment later.
    await Promise.allSettled(starting)
    await close()
    throw error
  }
}

/** Not marked as a test network, so that the interface looks as it does on a real one. */
function describeNetwork(id: number, name: string, rpcUrl: string): Network {
  return {
    id,
    name,
    caipNetworkId: `eip155:${id}`,
    chainNamespace: 'eip155',
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] }, chainDefault: { http: [rpcUrl] } },
  }
}
