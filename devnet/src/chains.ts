import { join } from 'node:path'
import type { Network } from '@latchkey/protocol'
import { startAnvil } from './anvil.ts'
import { deploy, type Contracts } from './deploy.ts'

/** A token of the local world. */
export type LocalToken = { address: string; name: string; symbol: string; decimals: number }

/** A chain of the local world with what is deployed on it. */
export type LocalChain = Contracts & { network: Network; rpcUrl: string; pid: number }

export type LocalChains = { chains: readonly LocalChain[]; close(): Promise<void> }

export type ChainsOptions = {
  /** One per chain; 0 takes any free one. */
  ports?: readonly [number, number]
  /** Where the chains are kept between starts; nowhere when left out. */
  stateDir?: string
  /** Called when a chain ends by itself. */
  onExit?(name: string, reason: string): void
}

const definitions = [
  { id: 31337, name: 'Latchkey Local' },
  { id: 31338, name: 'Latchkey Second' },
] as const

/**
 * Starts the EVM chains of the local world and deploys their contracts, or finds those of an earlier start.
 *
 * @example const { chains, close } = await startChains({ ports: [8545, 8546], stateDir: '.latchkey/data' })
 */
export async function startChains({ ports = [0, 0], stateDir, onExit }: ChainsOptions = {}): Promise<LocalChains> {
  const starting = definitions.map(async ({ id, name }, index) => {
    const anvil = await startAnvil({
      chainId: id,
      port: ports[index] ?? 0,
      stateFile: stateDir === undefined ? undefined : join(stateDir, `evm-${id}.json`),
      onExit: (reason) => onExit?.(name, reason),
    })
    return { id, name, anvil }
  })
  const settled = await Promise.allSettled(starting)
  const started = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const close = async (): Promise<void> => void (await Promise.all(started.map(({ anvil }) => anvil.close())))
  try {
    for (const result of settled) if (result.status === 'rejected') throw result.reason
    const chains = await Promise.all(
      started.map(async ({ id, name, anvil: { rpcUrl, pid } }) => ({
        network: describe(id, name, rpcUrl),
        rpcUrl,
        pid,
        ...(await deploy(rpcUrl, id)),
      })),
    )
    return { chains, close }
  } catch (error) {
    await close()
    throw error
  }
}

function describe(id: number, name: string, rpcUrl: string): Network {
  return {
    id,
    name,
    caipNetworkId: `eip155:${id}`,
    chainNamespace: 'eip155',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] }, chainDefault: { http: [rpcUrl] } },
    testnet: true,
  }
}
