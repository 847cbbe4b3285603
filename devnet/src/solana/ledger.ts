import type { LiteSVM } from 'litesvm'
import { createBlockhashes, type Blockhashes } from './blockhashes.ts'
import { execute, setClock, type Moment } from './execute.ts'
import { decodeTransaction, preflightFailure, readOutcome, refuseTransaction, type Execution } from './execution.ts'
import { createHistory, type History, type TransactionRecord } from './history.ts'
import type { Journal } from './journal.ts'

/** The chain: a real Solana runtime with the time, blockhashes and history of a node. */
export type Ledger = {
  readonly vm: LiteSVM
  readonly blockhashes: Blockhashes
  readonly history: History
  /** The current slot; it advances by itself. */
  slot(): bigint
  /** @throws JsonRpcError -32602 if the bytes are not a transaction. */
  simulate(wire: Uint8Array, options: SimulationOptions): Execution
  /**
   * Executes a transaction, which is final immediately.
   *
   * @throws JsonRpcError -32002 if it would fail and `skipPreflight` is not set.
   */
  send(wire: Uint8Array, options: { skipPreflight: boolean }): TransactionRecord
}

export type SimulationOptions = { checksSignatures: boolean; replacesBlockhash: boolean }

const slotMilliseconds = 400

/**
 * Creates a chain around a runtime and replays its journal.
 *
 * @param now milliseconds since the epoch
 */
export function createLedger(vm: LiteSVM, journal: Journal, now: () => number): Ledger {
  const { begun } = journal
  const history = createHistory()
  const blockhashes = createBlockhashes(slot, String(begun))
  // The runtime knows only the latest blockhash and a few transactions, so both are checked here.
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
    const { transaction, message, signature } = decodeTransaction(wire)
    slot()
    if (checksSignatures && history.get(signature) !== undefined) return refuseTransaction('AlreadyProcessed')
    if (!replacesBlockhash && !blockhashes.isValid(message.lifetimeToken)) return refuseTransaction('BlockhashNotFound')
    vm.withSigverify(checksSignatures)
    try {
      return readOutcome(vm.simulateTransaction(transaction))
    } finally {
      vm.withSigverify(true)
    }
  }

  function send(wire: Uint8Array, { skipPreflight }: { skipPreflight: boolean }): TransactionRecord {
    const preflight = simulate(wire, { checksSignatures: true, replacesBlockhash: false })
    // A transaction without a fee or signature is not executed and not recorded.
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
