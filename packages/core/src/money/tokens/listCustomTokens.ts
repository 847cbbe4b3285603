import type { TokenBalance } from '@latchkey/protocol'
import { parseAccountId } from '@latchkey/protocol'
import { formatAmount } from '../../format/amount.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { payerOf } from '../send/state.ts'
import { customTokens } from './customTokens.ts'

/**
 * Returns the imported tokens of the connected account on its network, with balances from the chain and without a
 * price. Tokens whose balance can't be read are left out.
 *
 * @throws LatchkeyError `connection/not-connected`
 * @example const tokens = await listCustomTokens(latchkey)
 */
export async function listCustomTokens(latchkey: Latchkey): Promise<readonly TokenBalance[]> {
  const { adapter, network, from } = payerOf(latchkey)
  const tokens = customTokens(latchkey).getState()
  const transfers = tokens.length === 0 ? undefined : await adapter.transfers?.()
  if (transfers === undefined) return []
  const { address: holder } = parseAccountId(from)
  const { caipNetworkId: chainId } = network
  const balances = await Promise.all(
    tokens.map((token) => transfers.getBalance(network, holder, token).catch(() => undefined)),
  )
  return tokens.flatMap(({ address, name, symbol, decimals }, index): TokenBalance[] => {
    const balance = balances[index]
    if (balance === undefined) return []
    const quantity = { decimals: String(decimals), numeric: formatAmount(balance, decimals) }
    return [{ name, symbol, chainId, address: `${chainId}:${address}`, price: 0, quantity, iconUrl: '' }]
  })
}

/** Adds imported tokens to a list that may already contain some of them. */
export function addCustomTokens(
  listed: readonly TokenBalance[],
  custom: readonly TokenBalance[],
): readonly TokenBalance[] {
  const present = new Set(listed.map(({ address }) => address?.toLowerCase()))
  return [...listed, ...custom.filter(({ address }) => !present.has(address?.toLowerCase()))]
}
