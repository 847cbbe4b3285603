import { isAccountId, parseAccountId, type Network, type TokenBalance } from '@latchkey/protocol'
import { getBalance } from '../../actions/getBalance.ts'
import { getTokens } from '../../actions/getTokens.ts'
import type { Balance } from '../../adapter.ts'
import type { Latchkey } from '../../latchkey.ts'
import { unitsOf } from './judge.ts'
import type { SendToken } from './payment.ts'
import { ask } from './questions.ts'
import { dollarsOf } from './dollars.ts'
import { patchSend, payerOf, sendState } from './state.ts'

/** Between two tries after balances failed [R9.1.3]. */
const retryMilliseconds = 30_000

/**
 * Reads what can be sent on the active network: its own currency from the chain, tokens from the server. After a
 * failure it is not tried again for 30 seconds; the native currency can be sent all the same.
 */
export async function loadTokens(latchkey: Latchkey): Promise<void> {
  const { tokensStatus, lastRetry, tokens } = sendState(latchkey).getState()
  const failedAgo = latchkey.clock.now() - (lastRetry ?? Number.NEGATIVE_INFINITY)
  if (tokensStatus === 'failed' && failedAgo < retryMilliseconds) return
  const isLatest = ask(latchkey, 'tokens')
  const { network } = payerOf(latchkey)
  if (tokens === undefined) patchSend(latchkey, { tokensStatus: 'loading' })
  const [held, native] = await Promise.allSettled([getTokens(latchkey), getBalance(latchkey, { fresh: true })])
  if (!isLatest()) return
  const balance = native.status === 'fulfilled' ? native.value : undefined
  const served = held.status === 'fulfilled' ? held.value : []
  const here = [nativeToken(network, balance, served), ...served.flatMap((each) => tokenFrom(each, network))]
  const { token } = sendState(latchkey).getState()
  patchSend(latchkey, {
    tokens: here,
    token: token && refreshed(token, here),
    ...nativeWorth(balance, here[0]?.price),
    ...(held.status === 'fulfilled'
      ? { tokensStatus: 'loaded', lastRetry: undefined }
      : { tokensStatus: 'failed', lastRetry: latchkey.clock.now() }),
  })
}

/** What the native currency of the account is worth. */
export function nativeWorth(
  balance: Balance | undefined,
  price: number | undefined,
): { networkBalance?: Balance; networkBalanceInDollars?: number } {
  if (balance === undefined) return {}
  return { networkBalance: balance, networkBalanceInDollars: dollarsOf(balance.value, balance.decimals, price) }
}

/** The native currency as something to send. */
export function nativeToken(
  { caipNetworkId, nativeCurrency }: Network,
  balance: Balance | undefined,
  served: readonly TokenBalance[],
): SendToken {
  const { name, symbol, decimals } = nativeCurrency
  const told = served.find((each) => each.chainId === caipNetworkId && each.address === undefined)
  return {
    asset: { symbol, decimals },
    name,
    chainId: caipNetworkId,
    iconUrl: told?.iconUrl,
    balance: balance?.value,
    price: knownPrice(told?.price),
  }
}

/** A token of the network; none for the native currency, which the chain tells, and for those of other networks. */
function tokenFrom({ chainId, address, ...told }: TokenBalance, { caipNetworkId }: Network): SendToken[] {
  if (chainId !== caipNetworkId || address === undefined) return []
  const { symbol, name, iconUrl, price, quantity } = told
  const decimals = Number(quantity.decimals)
  const asset = { address: isAccountId(address) ? parseAccountId(address).address : address, symbol, decimals }
  const balance = unitsOf(quantity.numeric, decimals)
  return [{ asset, name, chainId: caipNetworkId, iconUrl, balance, price: knownPrice(price) }]
}

/** The server tells 0 where it knows no price. */
function knownPrice(price: number | undefined): number | undefined {
  return price === undefined || price <= 0 ? undefined : price
}

/** Takes up what the list tells of the chosen token. Its balance, where the chain told one, stays. */
function refreshed(token: SendToken, tokens: readonly SendToken[]): SendToken {
  const listed = tokens.find((each) => each.asset.address === token.asset.address && each.chainId === token.chainId)
  return listed === undefined ? token : { ...listed, balance: token.balance ?? listed.balance }
}
