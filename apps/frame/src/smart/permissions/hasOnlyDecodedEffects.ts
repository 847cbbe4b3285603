import type { Changes } from '../../approve/approvalFacts.ts'
import type { Call } from '../../approve/evm/calls/callEffects.ts'
import { allEffects, readCall } from '../../approve/evm/calls/readCall.ts'
import { isHex } from '../../approve/evm/parseQuantity.ts'
import { simulateCalls } from '../../approve/evm/simulateCalls.ts'
import { createTokens } from '../../approve/evm/tokens.ts'
import type { Chain } from '../../chain/chain.ts'
import { isEqualAddress } from './permissionRequest.ts'

/** The account that calls, and its network. */
export type Caller = {
  readonly chain: Chain
  readonly chainId: string
  readonly account: string
  readonly native: { readonly symbol: string; readonly decimals: number }
}

/** `balanceOf(address)`: tokens, collections and vaults have it. */
const balanceOf = '0x70a08231'

/**
 * True if a contract keeps balances of accounts. Any of its functions may move them, under any name, so a permission
 * covers its `transfer` only, with an amount.
 *
 * @throws RpcError -32603 if the network can't be reached
 */
export async function isTokenContract({ chain, chainId, account }: Caller, address: string): Promise<boolean> {
  const data = `${balanceOf}${account.slice(2).toLowerCase().padStart(64, '0')}`
  const response = await chain
    .request(chainId, 'eth_call', [{ to: address, data }, 'latest'])
    .catch((error: unknown) => {
      // A revert means that the contract has no such function.
      if (isRevert(error)) return '0x'
      throw error
    })
  return !isHex(response) || response.length >= 66
}

function isRevert(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code !== -32_603
}

/**
 * True if the simulated effects of calls stay within the transfers that their data shows: no allowance, no item, and no
 * token beyond the decoded amounts leaves the account. A function's name doesn't tell what it moves.
 */
export async function hasOnlyDecodedEffects(caller: Caller, calls: readonly Required<Call>[]): Promise<boolean> {
  const { chain, chainId, account, native } = caller
  const changes = await simulateCalls({ chain, chainId, account, calls, native, tokens: createTokens(chain, chainId) })
  return areDecoded(changes, calls)
}

function areDecoded(changes: Changes, calls: readonly Required<Call>[]): boolean {
  if (changes.kind !== 'known' || changes.isTruncated === true) return false
  if (changes.allowances?.some(({ kind }) => kind !== 'none') === true) return false
  const effects = calls.flatMap((call) => allEffects(readCall(call)))
  const decoded = (asset: string): bigint =>
    effects.reduce((sum, effect) => {
      return effect.kind === 'transfer' && isEqualAddress(effect.token, asset) ? sum + effect.units : sum
    }, 0n)
  const paid = calls.reduce((sum, { value }) => sum + value, 0n)
  return changes.list.every(({ units, asset, item }) => {
    if (units >= 0n && item === undefined) return true
    if (item !== undefined) return units > 0n
    return -units <= (asset === undefined ? paid : decoded(asset))
  })
}
