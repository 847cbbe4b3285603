import { pollUntil } from '@latchkey/adapter-kit'
import { systemClock, type Receipt, type ReceiptOptions } from '@latchkey/core'
import { type Network, transactionError } from '@latchkey/protocol'
import type { Hash } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import { getEvmClient, type EvmClients } from './evmClients.ts'
import { findRevertReason } from './revertReason.ts'

/** Milliseconds between two requests. */
const intervalMs = 1_000

/**
 * Waits until a transaction is mined. Failed requests are repeated.
 *
 * @throws LatchkeyError `transaction/reverted` with the reason, `transaction/pending` after the timeout
 */
export async function waitForEvmReceipt(
  clients: EvmClients,
  network: Network,
  transaction: string,
  { timeout, signal, abi }: ReceiptOptions,
): Promise<Receipt> {
  const client = getEvmClient(clients, network)
  const receipt = await pollUntil(
    async () => getTransactionReceipt(client, { hash: await translateHash(clients, transaction) }),
    { clock: clients.clock ?? systemClock, intervalMs, timeout, signal },
  )
  if (receipt === undefined) {
    throw transactionError('transaction/pending', { hash: transaction, seconds: Math.round(timeout / 1000) })
  }
  const hash = receipt.transactionHash
  if (receipt.status === 'success') return { hash, blockNumber: receipt.blockNumber }
  throw transactionError('transaction/reverted', { hash, ...(await findRevertReason(client, receipt, abi)) })
}

/** Returns the chain's hash of a transaction. A contract wallet first returns a hash of its own. */
export async function translateHash({ translators }: EvmClients, hash: string): Promise<Hash> {
  const translations = await Promise.all(translators.map((translate) => translate(hash)))
  // The wallet's response was validated. No chain has a hash of another form.
  return (translations.find((translation) => translation !== undefined) ?? hash) as Hash
}
