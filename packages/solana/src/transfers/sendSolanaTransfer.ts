import type { Connection } from '@latchkey/core'
import type { Fee, SubmittedTransaction, Transfer } from '@latchkey/core/money'
import { parseAccountId, type Network } from '@latchkey/protocol'
import { address as toAddress, getPublicKeyFromAddress, signatureBytes, verifySignature } from '@solana/kit'
import { requestSignAndSend } from '../wallet/requestSignAndSend.ts'
import { getSolanaClient, wrapUnreachable, type SolanaClients } from '../chain/solanaClients.ts'
import { fromBase58 } from '../wallet/base58.ts'
import { encodeTransaction } from './encodeTransaction.ts'
import { planSolanaTransfer } from './transferPlan.ts'

/** The last valid block of each transaction that a wallet sent exactly as requested, by its signature. */
export type TransactionLifetimes = Map<string, bigint>

/**
 * Asks the wallet to sign and send a transfer.
 *
 * @throws LatchkeyError `request/rejected`, `request/unknown`, `wallet/unavailable`, `amount/invalid`, `rpc/unreachable`
 */
export async function sendSolanaTransfer(
  clients: SolanaClients,
  lifetimes: TransactionLifetimes,
  connection: Connection,
  network: Network,
  transfer: Transfer,
  fee?: Fee,
): Promise<SubmittedTransaction> {
  const request = getSolanaClient(clients, network).getLatestBlockhash({ commitment: 'confirmed' })
  const [plan, { value: lifetime }] = await Promise.all([
    planSolanaTransfer(clients, network, transfer),
    wrapUnreachable(network, request.send()),
  ])
  // Without a price of its own, many wallets add a priority fee that was never shown.
  const price = fee === undefined ? undefined : (fee.price ?? 0n)
  const { wire, message } = encodeTransaction(plan, lifetime, price)
  const connectionOnNetwork: Connection = { ...connection, chainId: network.caipNetworkId }
  const hash = await requestSignAndSend(clients, connectionOnNetwork, transfer.from, wire, {
    preflightCommitment: 'confirmed',
  })
  const { address } = parseAccountId(transfer.from)
  if (!(await isSignedMessage(hash, address, message))) return { hash }
  lifetimes.set(hash, lifetime.lastValidBlockHeight)
  return { hash, lastBlock: lifetime.lastValidBlockHeight }
}

/** True if the wallet sent exactly this message. Many wallets add instructions, or take a newer blockhash. */
async function isSignedMessage(hash: string, signer: string, message: Uint8Array): Promise<boolean> {
  try {
    const bytes = fromBase58(hash)
    if (bytes === undefined) return false
    const key = await getPublicKeyFromAddress(toAddress(signer))
    return await verifySignature(key, signatureBytes(bytes), message)
  } catch {
    // Some browsers lack Ed25519.
    return false
  }
}
