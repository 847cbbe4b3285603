import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock, type Receipt } from '@latchkey/core'
import { type Network, transactionError } from '@latchkey/protocol'
import { signature as toSignature, type Signature } from '@solana/kit'
import { parseSignature } from '../wallet/signatures.ts'
import { getFailureReason } from './failureReason.ts'
import { getSolanaClient, type SolanaClient, type SolanaClients } from './solanaClients.ts'

/** Milliseconds between two requests. */
const intervalMs = 1_000

type ConfirmedTransaction = { slot: bigint; error: unknown }

/**
 * Waits until a transaction is confirmed. Failed requests are repeated.
 *
 * @throws LatchkeyError `transaction/reverted` with the reason, `transaction/pending` after the timeout
 */
export async function waitForSolanaReceipt(
  clients: SolanaClients,
  network: Network,
  hash: string,
  { timeout, signal }: { timeout: number; signal?: AbortSignal },
): Promise<Receipt> {
  const client = getSolanaClient(clients, network)
  const known = parseSignature(hash)
  // A string that is not a signature is never found.
  const look = async (): Promise<ConfirmedTransaction | undefined> =>
    known === undefined ? undefined : findConfirmed(client, toSignature(known))
  const confirmed = await pollUntil(look, { clock: clients.clock ?? systemClock, intervalMs, timeout, signal })
  if (confirmed === undefined) {
    throw transactionError('transaction/pending', { hash, seconds: Math.round(timeout / 1000) })
  }
  if (confirmed.error === null) return { hash, blockNumber: confirmed.slot }
  const logs = await getLogs(client, toSignature(hash)).catch(() => undefined)
  throw transactionError('transaction/reverted', { hash, reason: getFailureReason(logs, confirmed.error) })
}

async function findConfirmed(client: SolanaClient, signature: Signature): Promise<ConfirmedTransaction | undefined> {
  const { value } = await client.getSignatureStatuses([signature]).send()
  const [status] = value
  if (status === null || status === undefined || status.confirmationStatus === 'processed') return undefined
  return { slot: status.slot, error: status.err }
}

async function getLogs(client: SolanaClient, signature: Signature): Promise<unknown> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const
  const transaction = await client.getTransaction(signature, config).send()
  return transaction?.meta?.logMessages
}
