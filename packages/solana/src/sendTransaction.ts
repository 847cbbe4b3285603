import type { Connection, TransactionRequest } from '@latchkey/core'
import { LatchkeyError, parseAccountId, type AccountId } from '@latchkey/protocol'
import {
  AccountRole,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  address as toAddress,
  type Instruction,
} from '@solana/kit'
import { askToSend } from './askToSend.ts'
import { checkedAddress } from './checkedAddress.ts'
import { networkFor, readerOf, reading, type Readers } from './readers.ts'

const largestAmount = 2n ** 64n - 1n

/**
 * Asks the wallet to pay somebody in SOL.
 *
 * @returns the transaction's signature, which is its name
 */
export async function sendTransaction(
  readers: Readers,
  connection: Connection,
  account: AccountId,
  { to, value = 0n, data }: TransactionRequest,
): Promise<string> {
  const { address } = parseAccountId(account)
  const network = networkFor(readers, connection.chainId)
  const transfer = transferOf(address, to, value)
  // There is no such thing as the data of a payment here: programs are called by whole transactions.
  if (data !== undefined) throw new LatchkeyError('request/not-allowed', { method: 'data' })
  const asked = readerOf(readers, network).getLatestBlockhash({ commitment: 'confirmed' })
  const { value: lifetime } = await reading(network, asked.send())
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayer(toAddress(address), empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstruction(transfer, living),
  )
  const transaction = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)))
  return askToSend(readers, connection, account, transaction, { preflightCommitment: 'confirmed' })
}

/** The System program's instruction 2: lamports from one account to another. */
function transferOf(from: string, to: string, lamports: bigint): Instruction {
  if (lamports < 0n || lamports > largestAmount) throw new LatchkeyError('amount/invalid', { value: String(lamports) })
  const data = new Uint8Array(12)
  const view = new DataView(data.buffer)
  view.setUint32(0, 2, true)
  view.setBigUint64(4, lamports, true)
  const accounts = [
    { address: toAddress(from), role: AccountRole.WRITABLE_SIGNER },
    { address: checkedAddress(to), role: AccountRole.WRITABLE },
  ]
  return { programAddress: toAddress('11111111111111111111111111111111'), accounts, data }
}
