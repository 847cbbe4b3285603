import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  blockhash,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransaction,
  type Address,
} from '@solana/kit'

/** The key of the first account of the shared development phrase. */
const senderSeed = Buffer.from('a01c67efb5cb8f62f15907a9fcf124c73d2695c8a9a31f21c05742a31ca1dc72', 'hex')
const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
const associatedTokenProgram = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')

/**
 * Sends tokens of the first funded account on the local Solana. The transaction names the receiver's token account, and
 * not the receiver.
 *
 * @returns the signature
 */
export async function sendTokens({
  rpcUrl,
  mint,
  to,
  amount,
}: {
  rpcUrl: string
  mint: Address
  to: Address
  amount: bigint
}): Promise<string> {
  const sender = await createKeyPairSignerFromPrivateKeyBytes(senderSeed)
  const latest = (await requestRpc(rpcUrl, 'getLatestBlockhash', [])) as {
    value: { blockhash: string; lastValidBlockHeight: number }
  }
  const data = new Uint8Array(10)
  data.set([12])
  new DataView(data.buffer).setBigUint64(1, amount, true)
  data.set([6], 9)
  const accounts = [
    { address: await tokenAccountOf(sender.address, mint), role: AccountRole.WRITABLE },
    { address: mint, role: AccountRole.READONLY },
    { address: await tokenAccountOf(to, mint), role: AccountRole.WRITABLE },
    { address: sender.address, role: AccountRole.READONLY_SIGNER },
  ]
  const lifetime = {
    blockhash: blockhash(latest.value.blockhash),
    lastValidBlockHeight: BigInt(latest.value.lastValidBlockHeight),
  }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(sender, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstruction({ programAddress: tokenProgram, accounts, data }, living),
  )
  const signed = await signTransaction([sender.keyPair], compileTransaction(message))
  const wire = getBase64EncodedWireTransaction(signed)
  return String(await requestRpc(rpcUrl, 'sendTransaction', [wire, { encoding: 'base64' }]))
}

async function tokenAccountOf(owner: Address, mint: Address): Promise<Address> {
  const { encode } = getAddressEncoder()
  const [derived] = await getProgramDerivedAddress({
    programAddress: associatedTokenProgram,
    seeds: [encode(owner), encode(tokenProgram), encode(mint)],
  })
  return derived
}

async function requestRpc(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}
