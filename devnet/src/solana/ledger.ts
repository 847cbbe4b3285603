import type { LiteSVM } from 'litesvm'
import { createBlockhashes, type Blockhashes } from './blockhashes.ts'
import { execute, setClock, type Moment } from './execute.ts'
import { decode, preflightFailure, readOutcome, refused, type Execution } from './execution.ts'
import { createHistory, type History, type TransactionRecord } from './history.ts'
import type { Journal } from './journal.ts'

/** The chain: a real Solana runtime, and around it the time, the blockhashes and the history that a node keeps. */
export type Ledger = {
  readonly vm: LiteSVM
  readonly blockhashes: Blockhashes
  readonly history: History
  /** Where the chain is; it goes on by itself. */
  slot(): bigint
  /** @throws JsonRpcError -32602 when the bytes are no transaction. */
  simulate(wire: Uint8Array, options: SimulationOptions): Execution
  /**
   * Executes a transaction, which is final at once.
   *
   * @throws JsonRpcError -32002 when it would fail, and `skipPreflight` does not let it.
   */
  send(wire: Uint8Array, options: { skipPreflight: boolean }): TransactionRecord
}

export type SimulationOptions = { checksSignatures: boolean; replacesBlockhash: boolean }

const slotMilliseconds = 400

/**
 * Keeps a chain around a runtime, from where its journal ends.
 *
 * @param now milliseconds since the epoch
 */
export function createLedger(vm: LiteSVM, journal: Journal, now: () => number): Ledger {
  const { begun } = journal
  const history = createHistory()
  const blockhashes = createBlockhashes(slot, String(begun))
  // The runtime knows the latest blockhash and a few transactions only: both are looked after here.
  vm.withBlockhashCheck(false).withTransactionHistory(0n)

  function moment(): Moment {
    const slot = 1n + BigInt(Math.max(0, Math.floor((now() - begun) / slotMilliseconds)))
    return { slot, blockTime: BigInt(Math.floor(now() / 1000)) }
  }

  function slot(): bigint {
    const here = moment()
    setClock(vm, here)
    return here.slot
  }

  function simulate(wire: Uint8Array, { checksSignatures, replacesBlockhash }: SimulationOptions): Execution {
    const { transaction, message, signature } = decode(wire)
    slot()
    if (checksSignatures && history.get(signature) !== undefined) return refused('AlreadyProcessed')
    if (!replacesBlockhash && !blockhashes.isValid(message.lifetimeToken)) return refused('BlockhashNotFound')
    vm.withSigverify(checksSignatures)
    try {
      return readOutcome(vm.simulateTransaction(transaction))
    } finally {
      vm.withSigverify(true)
    }
  }

  function send(wire: Uint8Array, { skipPreflight }: { skipPreflight: boolean }): TransactionRecord {
    const preflight = simulate(wire, { checksSignatures: true, replacesBlockhash: false })
    // What is not executed at all, for lack of a fee or of a signature, is never on a chain.
    const isRefused = typeof preflight.error === 'string' || (preflight.error !== null && !skipPreflight)
    if (isRefused) throw preflightFailure(preflight)
    const record = execute(vm, wire, moment())
    journal.add(record)
    history.add(record)
    return record
  }

  for (const { wire, ...then } of journal.entries) history.add(execute(vm, wire, then))

  return { vm, blockhashes, history, slot, simulate, send }
}
