import type { Connection } from '@latchkey/core'
import type { Fee, Sent, Transfer } from '@latchkey/core/money'
import { parseAccountId, type Network } from '@latchkey/protocol'
import { address as toAddress, getPublicKeyFromAddress, signatureBytes, verifySignature } from '@solana/kit'
import { askToSend } from '../askToSend.ts'
import { readerOf, reading, type Readers } from '../readers.ts'
import { fromBase58 } from '../wire.ts'
import { writeTransaction } from './message.ts'
import { planTransfer } from './plan.ts'

/** Until which block each transaction can be taken that a wallet sent as it was asked to, by its signature. */
export type Lifetimes = Map<string, bigint>

/**
 * Asks the wallet to sign and send a transfer.
 *
 * @throws LatchkeyError `request/rejected`, `request/unknown`, `wallet/unavailable`, `amount/invalid`, `rpc/unreachable`.
 */
export async function sendTransfer(
  readers: Readers,
  lifetimes: Lifetimes,
  connection: Connection,
  network: Network,
  transfer: Transfer,
  fee?: Fee,
): Promise<Sent> {
  const asked = readerOf(readers, network).getLatestBlockhash({ commitment: 'confirmed' })
  const [plan, { value: lifetime }] = await Promise.all([
    planTransfer(readers, network, transfer),
    reading(network, asked.send()),
  ])
  const { wire, message } = writeTransaction(plan, lifetime, fee?.price)
  const on: Connection = { ...connection, chainId: network.caipNetworkId }
  const hash = await askToSend(readers, on, transfer.from, wire, { preflightCommitment: 'confirmed' })
  const { address } = parseAccountId(transfer.from)
  if (await isSignatureOf(hash, address, message)) lifetimes.set(hash, lifetime.lastValidBlockHeight)
  return { hash }
}

/** Whether a wallet sent what it was asked to, to the byte: many add something of their own, or take a newer blockhash. */
async function isSignatureOf(hash: string, signer: string, message: Uint8Array): Promise<boolean> {
  try {
    const bytes = fromBase58(hash)
    if (bytes === undefined) return false
    const key = await getPublicKeyFromAddress(toAddress(signer))
    return await verifySignature(key, signatureBytes(bytes), message)
  } catch {
    // Browsers without Ed25519 cannot tell.
    return false
  }
}
