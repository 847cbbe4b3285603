import type { TokenBalance } from '@latchkey/protocol'
import type { WalletAsset } from '../contracts/adapter.ts'
import { defineFeature, getFeature } from '../instance/defineFeature.ts'
import type { Clock } from '../contracts/clock.ts'
import type { Connection } from '../contracts/connector.ts'
import { formatAmount } from '../format/amount.ts'
import type { Latchkey } from '../instance/latchkey.ts'
import { walletTimeouts } from '../contracts/walletTimeouts.ts'
import type { ActiveConnection } from '../state/connectedWallets.ts'

/** Connections whose wallet did not report its assets. */
const silentConnections = defineFeature(() => new WeakSet<Connection>())

/**
 * Returns the tokens that a wallet of this page reports (EIP-7811), or undefined if it reports none or sends an invalid
 * response [R5.5.2]. A wallet that did not respond once gets no further request. Remote wallets never get one, because a
 * request would wake them.
 */
export async function getWalletTokens(
  latchkey: Latchkey,
  { adapter, state, network }: ActiveConnection,
): Promise<readonly TokenBalance[] | undefined> {
  const silent = getFeature(latchkey, silentConnections)
  const { connection, account, connectorId } = state
  if (adapter.walletCalls === undefined || silent.has(connection)) return undefined
  const connector = latchkey.connectors.getState().find(({ id }) => id === connectorId)
  if (connector === undefined || connector.type === 'walletConnect') return undefined
  const pending = adapter.walletCalls().then(({ getAssets }) => getAssets(connection, account))
  const assets = await waitAtMost(latchkey.internal.clock, pending)
  if (assets === undefined) silent.add(connection)
  return assets?.map((asset) => toTokenBalance(asset, network.caipNetworkId))
}

/** On any failure, the server provides the tokens instead. */
function waitAtMost<result>(clock: Clock, pending: Promise<result>): Promise<result | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(walletTimeouts.goodbye, () => resolve(undefined))
    pending.then(resolve, () => resolve(undefined)).finally(cancel)
  })
}

function toTokenBalance({ address, balance, metadata }: WalletAsset, chainId: TokenBalance['chainId']): TokenBalance {
  const { name, symbol, decimals, price, iconUrl } = metadata
  const numeric = formatAmount(balance, decimals)
  return {
    name,
    symbol,
    chainId,
    ...(address === undefined ? {} : { address: `${chainId}:${address}` }),
    // The value is for display only. A price of 0 means that the price is unknown.
    ...(price > 0 ? { value: Number(numeric) * price } : {}),
    price: Math.max(price, 0),
    quantity: { decimals: String(decimals), numeric },
    // A picture on another host would reveal the user's address to that host.
    iconUrl: iconUrl.startsWith('data:image/') ? iconUrl : '',
  }
}
