import type { Connection } from '@latchkey/core'
import { isLatchkeyError, parseAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import { readChainId } from '../networks.ts'
import { ask, isFields, nonsense, type Fields } from './ask.ts'

/** What a wallet can do, by chain. What it can do everywhere is said of each chain, and of `eip155:0`. */
export type Capabilities = Readonly<Record<ChainId, Fields>>

/** Asks what the wallet can do on each chain (`wallet_getCapabilities`, EIP-5792); nothing when it does not say. */
export async function getCapabilities(connection: Connection, account: AccountId): Promise<Capabilities> {
  const method = 'wallet_getCapabilities'
  const { address } = parseAccountId(account)
  const answer = await ask(connection, method, [address]).catch((error: unknown) => {
    if (isLatchkeyError(error, 'request/not-allowed')) return {}
    throw error
  })
  if (!isFields(answer)) throw nonsense(connection, method)
  const everywhere = answer['0x0'] ?? {}
  if (!isFields(everywhere)) throw nonsense(connection, method)
  const capabilities: Record<ChainId, Fields> = {}
  for (const [chain, can] of Object.entries(answer)) {
    const chainId = chain === '0x0' ? 'eip155:0' : readChainId(chain)
    if (chainId === undefined || !isFields(can)) throw nonsense(connection, method)
    capabilities[chainId] = { ...everywhere, ...can }
  }
  return capabilities
}

/** What the wallet can do on one chain. */
export function onChain(capabilities: Capabilities, chainId: ChainId): Fields {
  return capabilities[chainId] ?? capabilities['eip155:0'] ?? {}
}
