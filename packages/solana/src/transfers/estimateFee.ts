import type { Fee, Transfer } from '@latchkey/core/money'
import { LatchkeyError, type Network } from '@latchkey/protocol'
import {
  AccountRole,
  getBase64Decoder,
  type Address,
  type Base64EncodedWireTransaction,
  type TransactionMessageBytesBase64,
} from '@solana/kit'
import { failureReason } from '../failureReason.ts'
import { getBalance } from '../getBalance.ts'
import { readerOf, reading, type Readers } from '../readers.ts'
import { writeTransaction, type Unsigned } from './message.ts'
import { depositOf, planTransfer, type Plan } from './plan.ts'

/** More than this for a unit of work is nobody's congestion, but a node that lies: millionths of a lamport. */
const highestPrice = 1_000_000n

/**
 * What a transfer costs: the fee for its signatures, what being taken soon costs at the moment, and what opening an account
 * for the receiver locks. The chain tries it before, unless it is all that there is and only its fee is wanted.
 *
 * @throws LatchkeyError `rpc/unreachable`, `transaction/reverted` with the reason when it would fail.
 */
export async function estimateFee(readers: Readers, network: Network, transfer: Transfer): Promise<Fee> {
  const reader = readerOf(readers, network)
  const isNative = transfer.asset.address === undefined
  const planned = isNative && transfer.amount <= 0n ? { ...transfer, amount: 1n } : transfer
  const [plan, { value: lifetime }] = await Promise.all([
    planTransfer(readers, network, planned),
    reading(network, reader.getLatestBlockhash({ commitment: 'confirmed' }).send()),
  ])
  const [price, deposit, { value: held }] = await Promise.all([
    readPrice(readers, network, plan),
    plan.opens === undefined ? undefined : depositOf(readers, network, plan.opens),
    getBalance(readers, network, plan.payer),
  ])
  const message = getBase64Decoder().decode(writeTransaction(plan, lifetime).message) as TransactionMessageBytesBase64
  const { value: base } = await reading(network, reader.getFeeForMessage(message, { commitment: 'confirmed' }).send())
  // Null is what a node says of a message that got too old meanwhile: one signature, one fee.
  const value = (base ?? 5_000n) + (BigInt(plan.units) * (price ?? 0n) + 999_999n) / 1_000_000n
  const fee = { value, ...(price === undefined ? {} : { price }), ...(deposit === undefined ? {} : { deposit }) }
  const isAffordable = value + (deposit ?? 0n) + (isNative ? planned.amount : 0n) <= held
  if (isAffordable) await tryOut(readers, network, writeTransaction(plan, lifetime, price))
  return fee
}

/** What those pay at the moment who write to the same accounts, so that the transaction is taken soon; undefined when nothing. */
async function readPrice(readers: Readers, network: Network, { instructions }: Plan): Promise<bigint | undefined> {
  const written = new Set<Address>()
  for (const { accounts = [] } of instructions) {
    for (const { address, role } of accounts) {
      if (role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER) written.add(address)
    }
  }
  const asked = readerOf(readers, network).getRecentPrioritizationFees([...written])
  const paid = (await reading(network, asked.send())).map(({ prioritizationFee }) => BigInt(prioritizationFee))
  const sorted = paid.toSorted((one, other) => Number(one - other))
  const usual = sorted[Math.floor(sorted.length * 0.75)] ?? 0n
  if (usual === 0n) return undefined
  return usual > highestPrice ? highestPrice : usual
}

/** @throws LatchkeyError `transaction/reverted`. */
async function tryOut(readers: Readers, network: Network, { wire }: Unsigned): Promise<void> {
  const asked = readerOf(readers, network).simulateTransaction(
    getBase64Decoder().decode(wire) as Base64EncodedWireTransaction,
    { encoding: 'base64', commitment: 'confirmed', replaceRecentBlockhash: true, sigVerify: false },
  )
  const { value } = await reading(network, asked.send())
  if (value.err === null) return
  const reason = failureReason(value.logs, value.err)
  throw new LatchkeyError('transaction/reverted', { hash: undefined, reason })
}
