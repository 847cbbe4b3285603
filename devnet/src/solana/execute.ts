import type { Address } from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { decodeTransaction, readOutcome, signaturesOf } from './execution.ts'
import { readHolding, readMint } from './encodeAccount.ts'
import type { TokenBalance, TransactionRecord } from './history.ts'

/** The slot of a chain, and its time in seconds since the epoch. */
export type Moment = { slot: bigint; blockTime: bigint }

/** Executes a transaction, even if it fails. */
export function execute(vm: LiteSVM, wire: Uint8Array, { slot, blockTime }: Moment): TransactionRecord {
  const { transaction, message, signature } = decodeTransaction(wire)
  const { staticAccounts: addresses } = message
  const balances = (): readonly bigint[] => addresses.map((each) => vm.getBalance(each) ?? 0n)
  setClock(vm, { slot, blockTime })
  const before = balances()
  const tokensBefore = readTokenBalances(vm, addresses)
  const execution = readOutcome(vm.sendTransaction(transaction))
  const signatures = signaturesOf(transaction)
  const after = balances()
  const tokensAfter = readTokenBalances(vm, addresses)
  const balanced = { before, after, tokensBefore, tokensAfter }
  return { ...execution, signature, slot, blockTime, wire, message, addresses, signatures, ...balanced }
}

function readTokenBalances(vm: LiteSVM, addresses: readonly Address[]): readonly TokenBalance[] {
  return addresses.flatMap((each, accountIndex): TokenBalance[] => {
    const account = vm.getAccount(each)
    const holding = account.exists ? readHolding(account) : undefined
    if (holding === undefined) return []
    const { mint, owner, amount } = holding
    // The owning program wrote a mint address into its account.
    const minted = vm.getAccount(mint as Address)
    const decimals = minted.exists ? (readMint(minted)?.decimals ?? 0) : 0
    return [{ accountIndex, mint, owner, amount, decimals }]
  })
}

/** Sets the slot and time that programs see. */
export function setClock(vm: LiteSVM, { slot, blockTime }: Moment): void {
  const clock = vm.getClock()
  if (clock.slot === slot) return
  clock.slot = slot
  clock.unixTimestamp = blockTime
  vm.setClock(clock)
}
