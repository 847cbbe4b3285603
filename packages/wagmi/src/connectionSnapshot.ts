import type { Latchkey, Provider } from '@latchkey/core'
import { connectedWallet, toProviderRpcError } from '@latchkey/core/internal'
import { parseAccountId, parseChainId, type ChainId, connectionError } from '@latchkey/protocol'
import { getAddress, type Address } from 'viem'

/** The connection state that wagmi displays. */
export type ConnectionSnapshot = {
  /** All accounts that the wallet shares, the selected one first. */
  readonly accounts: readonly Address[]
  readonly chainId: number
  readonly provider: Provider
}

/** Returns the connected EVM wallet. While a new wallet connects, returns the previous one. */
export function getConnectionSnapshot({ wallet }: Pick<Latchkey, 'wallet'>): ConnectionSnapshot | undefined {
  const connected = connectedWallet(wallet.getState().namespaces.eip155)
  if (connected === undefined) return undefined
  const { account, accounts, chainId, connection } = connected
  return {
    accounts: [...new Set([account, ...accounts].map(toChecksumAddress))],
    chainId: Number(parseChainId(chainId).reference),
    provider: connection.provider,
  }
}

/** True if wagmi shows no difference between the two. */
export function isSameConnection(a: ConnectionSnapshot, b: ConnectionSnapshot): boolean {
  return a.chainId === b.chainId && a.accounts.join() === b.accounts.join()
}

/** Returns the address of an account with the checksum of EIP-55, as the connectors of wagmi do. Wallets may omit it. */
function toChecksumAddress(account: Parameters<typeof parseAccountId>[0]): Address {
  return getAddress(parseAccountId(account).address)
}

/** @throws an error with code 4900 of EIP-1193 if no wallet is connected */
export function requireSnapshot(latchkey: Pick<Latchkey, 'wallet'>): ConnectionSnapshot {
  const snapshot = getConnectionSnapshot(latchkey)
  if (snapshot === undefined) throw toProviderRpcError(connectionError('connection/not-connected', {}))
  return snapshot
}

/** The CAIP-2 id of an EVM chain. */
export function toChainId(chainId: number): ChainId {
  return `eip155:${chainId}`
}
