import { isAccountId, parseAccountId, type Network, type TokenBalance } from '@latchkey/protocol'
import { getBalance } from '../../account/getBalance.ts'
import { getTokens } from '../../account/getTokens.ts'
import type { Balance } from '../../contracts/adapter.ts'
import type { Latchkey } from '../../instance/latchkey.ts'
import { addCustomTokens, listCustomTokens } from '../tokens/listCustomTokens.ts'
import { parseUnits } from './validateSend.ts'
import type { SendToken } from './sendState.ts'
import { beginRequest } from './requests.ts'
import { toDollars } from './dollars.ts'
import { patchSend, payerOf, sendState } from './state.ts'

/** The delay before balances are loaded again after a failure [R9.1.3]. */
const retryMilliseconds = 30_000

/**
 * Loads what can be sent on the active network: the native currency from the chain, tokens from the server. After a
 * failure, it waits 30 seconds before the next attempt. The native currency can be sent regardless.
 */
export async function loadTokens(latchkey: Latchkey): Promise<void> {
  const { tokensStatus, lastRetry, tokens } = sendState(latchkey).getState()
  const failedAgo = latchkey.internal.clock.now() - (lastRetry ?? Number.NEGATIVE_INFINITY)
  if (tokensStatus === 'failed' && failedAgo < retryMilliseconds) return
  const isLatest = beginRequest(latchkey, 'tokens')
  const { network } = payerOf(latchkey)
  if (tokens === undefined) patchSend(latchkey, { tokensStatus: 'loading' })
  const [held, native, imported] = await Promise.allSettled([
    getTokens(latchkey),
    getBalance(latchkey, { fresh: true }),
    listCustomTokens(latchkey),
  ])
  if (!isLatest()) return
  const balance = native.status === 'fulfilled' ? native.value : undefined
  const served = addCustomTokens(
    held.status === 'fulfilled' ? held.value : [],
    imported.status === 'fulfilled' ? imported.value : [],
  )
  const here = [nativeToken(network, balance, served), ...served.flatMap((each) => tokenFrom(each, network))]
  const { token } = sendState(latchkey).getState()
  patchSend(latchkey, {
    tokens: here,
    token: token && refreshToken(token, here),
    ...nativeWorth(balance, here[0]?.price),
    ...(held.status === 'fulfilled'
      ? { tokensStatus: 'loaded', lastRetry: undefined }
      : { tokensStatus: 'failed', lastRetry: latchkey.internal.clock.now() }),
  })
}

/** Returns the native balance and its value. */
export function nativeWorth(
  balance: Balance | undefined,
  price: number | undefined,
): { networkBalance?: Balance; networkBalanceInDollars?: number } {
  if (balance === undefined) return {}
  return { networkBalance: balance, networkBalanceInDollars: toDollars(balance.value, balance.decimals, price) }
}

/** Returns the native currency as a token to send. */
export function nativeToken(
  { caipNetworkId, nativeCurrency }: Network,
  balance: Balance | undefined,
  served: readonly TokenBalance[],
): SendToken {
  const { name, symbol, decimals } = nativeCurrency
  const balanceOfToken = served.find((each) => each.chainId === caipNetworkId && each.address === undefined)
  return {
    asset: { symbol, decimals },
    name,
    chainId: caipNetworkId,
    iconUrl: balanceOfToken?.iconUrl,
    balance: balance?.value,
    price: getKnownPrice(balanceOfToken?.price),
  }
}

/**
 * Returns a token of the network. Skips tokens of other networks, and the native currency, which is read from the
 * chain.
 */
function tokenFrom({ chainId, address, ...balanceOfToken }: TokenBalance, { caipNetworkId }: Network): SendToken[] {
  if (chainId !== caipNetworkId || address === undefined) return []
  const { symbol, name, iconUrl, price, quantity } = balanceOfToken
  const decimals = Number(quantity.decimals)
  const asset = { address: isAccountId(address) ? parseAccountId(address).address : address, symbol, decimals }
  const balance = parseUnits(quantity.numeric, decimals)
  return [{ asset, name, chainId: caipNetworkId, iconUrl, balance, price: getKnownPrice(price) }]
}

/** The server sends 0 if the price is unknown. */
function getKnownPrice(price: number | undefined): number | undefined {
  return price === undefined || price <= 0 ? undefined : price
}

/** Updates the selected token from the list. A balance from the chain is kept. */
function refreshToken(token: SendToken, tokens: readonly SendToken[]): SendToken {
  const listed = tokens.find((each) => each.asset.address === token.asset.address && each.chainId === token.chainId)
  return listed === undefined ? token : { ...listed, balance: token.balance ?? listed.balance }
}
