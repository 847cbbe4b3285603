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

/** The supported transactions: legacy and version 0. */
export type Message = Exclude<CompiledMessage, { version: 1 }>

/** The result of a transaction. */
export type Execution = {
  error: unknown
  logs: readonly string[]
  units: bigint
  fee: bigint
  /** The accounts after the transaction; only for successful simulations. */
  accounts?: readonly EncodedAccount[]
}

type Outcome = ReturnType<LiteSVM['sendTransaction'] | LiteSVM['simulateTransaction']>

/** @throws JsonRpcError -32602 if the bytes are not a supported transaction. */
export function decodeTransaction(wire: Uint8Array): { transaction: Transaction; message: Message; signature: string } {
  try {
    const transaction = getTransactionDecoder().decode(wire)
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    // The first signature is the transaction's id.
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

/** Parses the result of the runtime. Error numbers and the fee appear only in its text. */
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

/** Errors of transactions that are not executed and pay no fee. */
export function refuseTransaction(reason: 'AlreadyProcessed' | 'BlockhashNotFound'): Execution {
  return { error: reason, logs: [], units: 0n, fee: 0n }
}

/** Creates the preflight error of a node. */
export function preflightFailure({ error, logs, units }: Execution): JsonRpcError {
  return new JsonRpcError(-32_002, `Transaction simulation failed: ${describeExecution(error)}`, {
    accounts: null,
    err: error,
    innerInstructions: null,
    logs,
    returnData: null,
    unitsConsumed: units,
  })
}

/** The error message of a node; custom program errors are shown by number. */
function describeExecution(error: unknown): string {
  if (typeof error === 'string') return error === 'BlockhashNotFound' ? 'Blockhash not found' : error
  const custom = /"Custom":(\d+)/.exec(JSON.stringify(error))?.[1]
  if (custom === undefined) return JSON.stringify(error)
  return `Error processing Instruction: custom program error: 0x${Number(custom).toString(16)}`
}
