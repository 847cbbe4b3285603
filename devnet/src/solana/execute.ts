import type { LiteSVM } from 'litesvm'
import { decodeTransaction, readOutcome, signaturesOf } from './execution.ts'
import type { TransactionRecord } from './history.ts'

/** The slot of a chain, and its time in seconds since the epoch. */
export type Moment = { slot: bigint; blockTime: bigint }

/** Executes a transaction, even if it fails. */
export function execute(vm: LiteSVM, wire: Uint8Array, { slot, blockTime }: Moment): TransactionRecord {
  const { transaction, message, signature } = decodeTransaction(wire)
  const { staticAccounts: addresses } = message
  const balances = (): readonly bigint[] => addresses.map((each) => vm.getBalance(each) ?? 0n)
  setClock(vm, { slot, blockTime })
  const before = balances()
  const execution = readOutcome(vm.sendTransaction(transaction))
  const signatures = signaturesOf(transaction)
  return { ...execution, signature, slot, blockTime, wire, message, addresses, signatures, before, after: balances() }
}

/** Sets the slot and time that programs see. */
export function setClock(vm: LiteSVM, { slot, blockTime }: Moment): void {
  const clock = vm.getClock()
  if (clock.slot === slot) return
  clock.slot = slot
  clock.unixTimestamp = blockTime
  vm.setClock(clock)
}
