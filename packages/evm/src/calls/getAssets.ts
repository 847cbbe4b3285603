import type { Connection, WalletAsset } from '@latchkey/core'
import { isLatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import { hexChainId } from '../networks.ts'
import { ask, isFields } from './ask.ts'
import { getCapabilities, onChain } from './getCapabilities.ts'

/**
 * Asks the wallet for the assets that it knows of on the account's chain (`wallet_getAssets`, EIP-7811), where it says
 * that it can tell. Its list is taken whole or not at all; tokens that cannot be divided are left out, as elsewhere.
 */
export async function getAssets(
  connection: Connection,
  account: AccountId,
): Promise<readonly WalletAsset[] | undefined> {
  const { address, chainId } = parseAccountId(account)
  const discovery = onChain(await getCapabilities(connection, account), chainId)['assetDiscovery']
  if (!isFields(discovery) || discovery['supported'] !== true) return undefined
  const chain = hexChainId(chainId)
  const request = { account: address, chainFilter: [chain] }
  const answer = await ask(connection, 'wallet_getAssets', [request]).catch((error: unknown) => {
    if (isLatchkeyError(error, 'request/not-allowed')) return undefined
    throw error
  })
  return readAssets(answer, chain)
}

/** Reads a wallet's list; undefined when anything in it is not what it should be. */
function readAssets(answer: unknown, chain: string): readonly WalletAsset[] | undefined {
  if (!isFields(answer)) return undefined
  const found: WalletAsset[] = []
  for (const [key, assets] of Object.entries(answer)) {
    if (!Array.isArray(assets)) return undefined
    for (const told of assets) {
      const asset = readAsset(told)
      if (asset === undefined) return undefined
      if (key.toLowerCase() === chain && asset.metadata.decimals !== 0) found.push(asset)
    }
  }
  return found
}

function readAsset(told: unknown): WalletAsset | undefined {
  if (!isFields(told) || !isFields(told['metadata'])) return undefined
  const { address, balance, type, metadata } = told
  const { name, symbol, iconUrl, decimals, price } = metadata as Readonly<Record<string, unknown>>
  if (typeof address !== 'string' || typeof balance !== 'string' || (type !== 'ERC20' && type !== 'NATIVE'))
    return undefined
  if (typeof name !== 'string' || typeof symbol !== 'string' || typeof iconUrl !== 'string') return undefined
  if (typeof decimals !== 'number' || typeof price !== 'number') return undefined
  // Texts and numbers that no amount can be made of.
  if (!/^(0x[0-9a-f]+|\d+)$/i.test(balance) || !Number.isSafeInteger(decimals) || decimals < 0) return undefined
  if (!Number.isFinite(price)) return undefined
  return {
    address: type === 'NATIVE' ? undefined : address,
    balance: BigInt(balance),
    type,
    metadata: { name, symbol, decimals, price, iconUrl },
  }
}
