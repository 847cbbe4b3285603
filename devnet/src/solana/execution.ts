import {
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type EncodedAccount,
  type Transaction,
} from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { JsonRpcError } from './jsonRpc.ts'
import { readTransactionError } from './transactionError.ts'

type CompiledMessage = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>

/** What the runtime takes: the messages of old and those of version 0. */
export type Message = Exclude<CompiledMessage, { version: 1 }>

/** What running a transaction came to. */
export type Execution = {
  error: unknown
  logs: readonly string[]
  units: bigint
  fee: bigint
  /** As they would be afterwards; only where it was tried out and went well. */
  accounts?: readonly EncodedAccount[]
}

type Outcome = ReturnType<LiteSVM['sendTransaction'] | LiteSVM['simulateTransaction']>

/** @throws JsonRpcError -32602 when the bytes are no transaction that the runtime takes. */
export function decode(wire: Uint8Array): { transaction: Transaction; message: Message; signature: string } {
  try {
    const transaction = getTransactionDecoder().decode(wire)
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    // The first signature names the transaction.
    const [signature = ''] = signaturesOf(transaction)
    if (message.version !== 1) return { transaction, message, signature }
  } catch (cause) {
    throw new JsonRpcError(-32_602, `failed to deserialize the transaction: ${String(cause)}`)
  }
  throw new JsonRpcError(-32_602, 'Transactions of version 1 are not supported.')
}

export function signaturesOf({ signatures }: Transaction): readonly string[] {
  return Object.values(signatures).map((bytes) => (bytes === null ? '' : getBase58Decoder().decode(bytes)))
}

/** Reads what the runtime says. The numbers of its own version, and the fee, are told by nothing but its text. */
export function readOutcome(outcome: Outcome): Execution {
  const meta = 'meta' in outcome ? outcome.meta() : outcome
  const printed = /err: (.*?), meta: TransactionMetadata/s.exec(String(outcome))?.[1]
  return {
    error: 'err' in outcome ? readTransactionError(printed ?? 'ClusterMaintenance') : null,
    logs: meta.logs(),
    units: meta.computeUnitsConsumed(),
    fee: BigInt(/\bfee: (\d+)/.exec(String(meta))?.[1] ?? 0),
    ...('postAccounts' in outcome && { accounts: outcome.postAccounts() }),
  }
}

/** What is not executed at all: there is nobody to take a fee from. */
export function refused(reason: 'AlreadyProcessed' | 'BlockhashNotFound'): Execution {
  return { error: reason, logs: [], units: 0n, fee: 0n }
}

/** How a node refuses a transaction that would fail. */
export function preflightFailure({ error, logs, units }: Execution): JsonRpcError {
  return new JsonRpcError(-32_002, `Transaction simulation failed: ${describe(error)}`, {
    accounts: null,
    err: error,
    innerInstructions: null,
    logs,
    returnData: null,
    unitsConsumed: units,
  })
}

/** What nodes say about an error; a program's own error is told by its number. */
function describe(error: unknown): string {
  if (typeof error === 'string') return error === 'BlockhashNotFound' ? 'Blockhash not found' : error
  const custom = /"Custom":(\d+)/.exec(JSON.stringify(error))?.[1]
  if (custom === undefined) return JSON.stringify(error)
  return `Error processing Instruction: custom program error: 0x${Number(custom).toString(16)}`
}
