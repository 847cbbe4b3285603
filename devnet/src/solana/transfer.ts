import {
  AccountRole,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  blockhash as toBlockhash,
  type Address,
  type KeyPairSigner,
} from '@solana/kit'
import { systemProgram } from './genesis.ts'
import type { Ledger } from './ledger.ts'

/** Creates a SOL transfer signed with a key of the chain. */
export async function transfer(ledger: Ledger, from: KeyPairSigner, to: Address, lamports: bigint): Promise<string> {
  const { blockhash, lastValidBlockHeight } = ledger.blockhashes.latest()
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, lamports, true)
  const lifetime = { blockhash: toBlockhash(blockhash), lastValidBlockHeight }
  const accounts = [
    { address: from.address, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(from, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstruction({ programAddress: systemProgram, accounts, data }, living),
  )
  const signed = await signTransaction([from.keyPair], compileTransaction(message))
  return ledger.send(new Uint8Array(getTransactionEncoder().encode(signed)), { skipPreflight: false }).signature
}
