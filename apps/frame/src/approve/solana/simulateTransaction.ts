import { base64 } from '@scure/base'
import type { Chain } from '../../chain/chain.ts'
import type { Change, Changes } from '../approvalFacts.ts'
import { accountsIn, decimalsOf, holdingOf, mostAccounts, type Account } from './readAccounts.ts'
import { systemProgram } from './programName.ts'
import { failureReason } from './failureReason.ts'
import { getMember } from '../../platform/getMember.ts'

/** The simulated effects of a transaction. */
export type SimulationResult = { readonly changes: Changes; readonly changesOwner: boolean }

export type SimulationOptions = {
  readonly chain: Chain
  readonly chainId: string
  readonly account: string
  /** Serialised transaction without signatures. */
  readonly wire: Uint8Array
  readonly writable: readonly string[]
  /** Current accounts by address. */
  readonly before: ReadonlyMap<string, Account>
  /** Fee of the account. It is shown separately. */
  readonly fee: bigint
  readonly native: { readonly symbol: string; readonly decimals: number }
}

const timeoutMs = 3_000
const unknown: SimulationResult = { changes: { kind: 'unknown' }, changesOwner: false }

/** Simulates a transaction without signatures. */
export async function simulateTransaction(options: SimulationOptions): Promise<SimulationResult> {
  const { chain, chainId, wire, writable } = options
  const addresses = writable.slice(0, mostAccounts)
  const config = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: true,
    accounts: { encoding: 'base64', addresses },
  }
  try {
    const response = await chain.request(chainId, 'simulateTransaction', [base64.encode(wire), config], { timeoutMs })
    const value = getMember(response, 'value')
    const failure = getMember(value, 'err')
    if (failure !== null && failure !== undefined) {
      return {
        changes: { kind: 'fails', reason: failureReason(getMember(value, 'logs'), failure) },
        changesOwner: false,
      }
    }
    const after = accountsIn(getMember(value, 'accounts'), addresses.length)
    return compare(options, new Map(addresses.map((address, at) => [address, after[at]])))
  } catch {
    return unknown
  }
}

function compare(options: SimulationOptions, after: ReadonlyMap<string, Account | undefined>): SimulationResult {
  const { account, before, fee, native } = options
  const own = after.get(account)
  const moved = own === undefined ? 0n : own.lamports - (before.get(account)?.lamports ?? 0n) + fee
  const paid: readonly Change[] = moved === 0n ? [] : [{ units: moved, ...native }]
  const tokens = new Map<string, bigint>()
  for (const [address, then] of after) {
    for (const [holding, sign] of [
      [holdingOf(before.get(address)), -1n],
      [holdingOf(then), 1n],
    ] as const) {
      if (holding?.owner !== account) continue
      tokens.set(holding.mint, (tokens.get(holding.mint) ?? 0n) + sign * holding.amount)
    }
  }
  const list = [...tokens].flatMap(([mint, units]): readonly Change[] =>
    units === 0n ? [] : [{ units, decimals: decimalsOf(before.get(mint)), asset: mint }],
  )
  // Another program owns the account afterwards and may empty it.
  const changesOwner = own !== undefined && own.owner !== (before.get(account)?.owner ?? systemProgram)
  return { changes: { kind: 'known', list: [...paid, ...list] }, changesOwner }
}
