import { base64 } from '@scure/base'
import type { Chain } from '../../chain/chain.ts'
import type { Change, Changes } from '../facts.ts'
import { read } from '../evm/hex.ts'
import { accountsIn, decimalsOf, holdingOf, mostAccounts, type Account } from './accounts.ts'
import { systemProgram } from './programs.ts'
import { reasonOf } from './reason.ts'

/** What a transaction would do, as a node finds by trying it. */
export type Trial = { readonly changes: Changes; readonly handsOver: boolean }

export type TrialParts = {
  readonly chain: Chain
  readonly chainId: string
  readonly account: string
  /** Unsigned, as it travels. */
  readonly wire: Uint8Array
  readonly writable: readonly string[]
  /** By address, as they are now. */
  readonly before: ReadonlyMap<string, Account>
  /** What the account pays for it, which is shown apart. */
  readonly fee: bigint
  readonly native: { readonly symbol: string; readonly decimals: number }
}

const patience = 3_000
const unknown: Trial = { changes: { kind: 'unknown' }, handsOver: false }

/** Tries a transaction on the network as it is, without anybody's signature. */
export async function tryOut(parts: TrialParts): Promise<Trial> {
  const { chain, chainId, wire, writable } = parts
  const addresses = writable.slice(0, mostAccounts)
  const config = {
    encoding: 'base64',
    commitment: 'confirmed',
    sigVerify: false,
    replaceRecentBlockhash: true,
    accounts: { encoding: 'base64', addresses },
  }
  try {
    const answer = await chain.ask(chainId, 'simulateTransaction', [base64.encode(wire), config], { patience })
    const value = read(answer, 'value')
    const failure = read(value, 'err')
    if (failure !== null && failure !== undefined) {
      return { changes: { kind: 'fails', reason: reasonOf(read(value, 'logs'), failure) }, handsOver: false }
    }
    const after = accountsIn(read(value, 'accounts'), addresses.length)
    return compare(parts, new Map(addresses.map((address, at) => [address, after[at]])))
  } catch {
    return unknown
  }
}

function compare(parts: TrialParts, after: ReadonlyMap<string, Account | undefined>): Trial {
  const { account, before, fee, native } = parts
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
  // An account whose program is another than before is another's to empty.
  const handsOver = own !== undefined && own.owner !== (before.get(account)?.owner ?? systemProgram)
  return { changes: { kind: 'known', list: [...paid, ...list] }, handsOver }
}
