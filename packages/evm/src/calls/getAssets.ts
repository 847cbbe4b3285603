import type { Connection, WalletAsset } from '@latchkey/core'
import { isRecord, isLatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { toHexChainId } from '../chain/evmChainId.ts'
import { requestWallet } from './requestWallet.ts'
import { getCapabilities, getChainCapabilities } from './getCapabilities.ts'

/**
 * Requests the assets of an account on its chain (`wallet_getAssets`, EIP-7811) from wallets with the capability
 * `assetDiscovery`. One invalid entry invalidates the list. Indivisible tokens are left out, as elsewhere.
 */
export async function getAssets(
  connection: Connection,
  account: AccountId,
): Promise<readonly WalletAsset[] | undefined> {
  const { address, chainId } = parseAccountId(account)
  const discovery = getChainCapabilities(await getCapabilities(connection, account), chainId)['assetDiscovery']
  if (!isRecord(discovery) || discovery['supported'] !== true) return undefined
  const chain = toHexChainId(chainId)
  const request = { account: address, chainFilter: [chain] }
  const response = await requestWallet(connection, 'wallet_getAssets', [request]).catch((error: unknown) => {
    if (isLatchkeyError(error, 'request/not-allowed')) return undefined
    throw error
  })
  return parseAssets(response, chain)
}

/** Parses a wallet's list. Returns `undefined` if any entry is invalid. */
function parseAssets(response: unknown, chain: string): readonly WalletAsset[] | undefined {
  if (!isRecord(response)) return undefined
  const found: WalletAsset[] = []
  for (const [key, assets] of Object.entries(response)) {
    if (!Array.isArray(assets)) return undefined
    for (const item of assets) {
      const asset = parseAsset(item)
      if (asset === undefined) return undefined
      if (key.toLowerCase() === chain && asset.metadata.decimals !== 0) found.push(asset)
    }
  }
  return found
}

function parseAsset(item: unknown): WalletAsset | undefined {
  if (!isRecord(item) || !isRecord(item['metadata'])) return undefined
  const { address, balance, type, metadata } = item
  const { name, symbol, iconUrl, decimals, price } = metadata as Readonly<Record<string, unknown>>
  if (typeof address !== 'string' || typeof balance !== 'string' || (type !== 'ERC20' && type !== 'NATIVE'))
    return undefined
  if (typeof name !== 'string' || typeof symbol !== 'string' || typeof iconUrl !== 'string') return undefined
  if (typeof decimals !== 'number' || typeof price !== 'number') return undefined
  // These strings and numbers don't form an amount.
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(balance) || !Number.isSafeInteger(decimals) || decimals < 0) return undefined
  if (!Number.isFinite(price)) return undefined
  return {
    address: type === 'NATIVE' ? undefined : address,
    balance: BigInt(balance),
    type,
    metadata: { name, symbol, decimals, price, iconUrl },
  }
}
