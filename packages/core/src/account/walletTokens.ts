import type { TokenBalance } from '@latchkey/protocol'
import type { WalletAsset } from '../adapter.ts'
import { companion } from '../companion.ts'
import type { Connection } from '../connector.ts'
import { formatAmount } from '../format/amount.ts'
import type { Latchkey } from '../latchkey.ts'
import { walletPatience } from '../patience.ts'
import type { Live } from '../state/standing.ts'

const silentKey = Symbol('silentWallets')

/**
 * What a wallet of this page itself says that its account holds (EIP-7811); undefined when it does not say, or says it
 * wrongly [R5.5.2]. A wallet that once did not say is not asked again. Wallets elsewhere are never asked: they may
 * sleep, and a question would wake them.
 */
export async function tokensOfWallet(
  latchkey: Latchkey,
  { adapter, state, network }: Live,
): Promise<readonly TokenBalance[] | undefined> {
  const silent = companion(latchkey, silentKey, () => new WeakSet<Connection>())
  const { connection, account, connectorId } = state
  if (adapter.walletCalls === undefined || silent.has(connection)) return undefined
  const connector = latchkey.connectors.getState().find(({ id }) => id === connectorId)
  if (connector === undefined || connector.type === 'walletConnect') return undefined
  const asked = adapter.walletCalls().then(({ getAssets }) => getAssets(connection, account))
  const assets = await inTime(latchkey, asked)
  if (assets === undefined) silent.add(connection)
  return assets?.map((asset) => asToken(asset, network.caipNetworkId))
}

/** Whatever goes wrong, the server knows too. */
function inTime<answer>({ clock }: Latchkey, asked: Promise<answer>): Promise<answer | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(walletPatience.goodbye, () => resolve(undefined))
    asked.then(resolve, () => resolve(undefined)).finally(cancel)
  })
}

function asToken({ address, balance, metadata }: WalletAsset, chainId: TokenBalance['chainId']): TokenBalance {
  const { name, symbol, decimals, price, iconUrl } = metadata
  const numeric = formatAmount(balance, decimals)
  return {
    name,
    symbol,
    chainId,
    ...(address === undefined ? {} : { address: `${chainId}:${address}` }),
    // Worth is for looking at only; a price of nothing is one that nobody knows.
    ...(price > 0 ? { value: Number(numeric) * price } : {}),
    price: Math.max(price, 0),
    quantity: { decimals: String(decimals), numeric },
    // A picture elsewhere would tell its keeper who looks.
    iconUrl: iconUrl.startsWith('data:image/') ? iconUrl : '',
  }
}
