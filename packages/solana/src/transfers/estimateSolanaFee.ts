import type { Fee, Transfer } from '@latchkey/core/money'
import { type Network, transactionError } from '@latchkey/protocol'
import {
  AccountRole,
  getBase64Decoder,
  type Address,
  type Base64EncodedWireTransaction,
  type TransactionMessageBytesBase64,
} from '@solana/kit'
import { getFailureReason } from '../chain/failureReason.ts'
import { getSolanaBalance } from '../chain/getSolanaBalance.ts'
import { getSolanaClient, wrapUnreachable, type SolanaClients } from '../chain/solanaClients.ts'
import { encodeTransaction, type UnsignedTransaction } from './encodeTransaction.ts'
import { getAccountRent, planSolanaTransfer, type TransferPlan } from './transferPlan.ts'

/** In millionths of a lamport per compute unit. No congestion leads to a higher price, so a higher value of a node is false. */
const highestPrice = 1_000_000n

/**
 * Estimates the cost of a transfer: the signature fee, the current priority fee, and the rent for a new token account. The
 * transfer is also simulated, unless the sender can't afford it with its fee.
 *
 * @throws LatchkeyError `rpc/unreachable`, `transaction/reverted` with the reason if it would fail
 */
export async function estimateSolanaFee(clients: SolanaClients, network: Network, transfer: Transfer): Promise<Fee> {
  const reader = getSolanaClient(clients, network)
  const isNative = transfer.asset.address === undefined
  const planned = isNative && transfer.amount <= 0n ? { ...transfer, amount: 1n } : transfer
  const [plan, { value: lifetime }] = await Promise.all([
    planSolanaTransfer(clients, network, planned),
    wrapUnreachable(network, reader.getLatestBlockhash({ commitment: 'confirmed' }).send()),
  ])
  const [price, deposit, { value: held }] = await Promise.all([
    getPriorityFee(clients, network, plan),
    plan.opens === undefined ? undefined : getAccountRent(clients, network, plan.opens),
    getSolanaBalance(clients, network, plan.payer),
  ])
  const message = getBase64Decoder().decode(encodeTransaction(plan, lifetime).message) as TransactionMessageBytesBase64
  const { value: base } = await wrapUnreachable(
    network,
    reader.getFeeForMessage(message, { commitment: 'confirmed' }).send(),
  )
  // Nodes return null for a message whose blockhash expired in the meantime. The fee of one signature is fixed.
  const value = (base ?? 5_000n) + (BigInt(plan.units) * (price ?? 0n) + 999_999n) / 1_000_000n
  const { withheld } = plan
  const fee: Fee = {
    value,
    ...(price === undefined ? {} : { price }),
    ...(deposit === undefined ? {} : { deposit }),
    ...(withheld === undefined ? {} : { withheld }),
  }
  const isAffordable = value + (deposit ?? 0n) + (isNative ? planned.amount : 0n) <= held
  if (isAffordable) await simulateTransaction(clients, network, encodeTransaction(plan, lifetime, price))
  return fee
}

/** Returns the current price for writing to the same accounts, per compute unit, or `undefined` if it is zero. */
async function getPriorityFee(
  clients: SolanaClients,
  network: Network,
  { instructions }: TransferPlan,
): Promise<bigint | undefined> {
  const written = new Set<Address>()
  for (const { accounts = [] } of instructions) {
    for (const { address, role } of accounts) {
      if (role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER) written.add(address)
    }
  }
  const request = getSolanaClient(clients, network).getRecentPrioritizationFees([...written])
  const paid = (await wrapUnreachable(network, request.send())).map(({ prioritizationFee }) =>
    BigInt(prioritizationFee),
  )
  const sorted = paid.toSorted((one, other) => Number(one - other))
  const typical = sorted[Math.floor(sorted.length * 0.75)] ?? 0n
  if (typical === 0n) return undefined
  return typical > highestPrice ? highestPrice : typical
}

/** @throws LatchkeyError `transaction/reverted` if the transaction would fail */
async function simulateTransaction(
  clients: SolanaClients,
  network: Network,
  { wire }: UnsignedTransaction,
): Promise<void> {
  const request = getSolanaClient(clients, network).simulateTransaction(
    getBase64Decoder().decode(wire) as Base64EncodedWireTransaction,
    { encoding: 'base64', commitment: 'confirmed', replaceRecentBlockhash: true, sigVerify: false },
  )
  const { value } = await wrapUnreachable(network, request.send())
  if (value.err === null) return
  const reason = getFailureReason(value.logs, value.err)
  throw transactionError('transaction/reverted', { hash: undefined, reason })
}
