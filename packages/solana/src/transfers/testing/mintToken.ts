import {
  AccountRole,
  appendTransactionMessageInstructions,
  createAddressWithSeed,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
  type Address,
  type Instruction,
} from '@solana/kit'
import { openTokenAccount } from '../instructions.ts'
import { systemProgram, token2022Program, tokenAccountOf } from '../programs.ts'

export type NewToken = {
  seed: string
  name: string
  symbol: string
  /** What is kept of each payment, in hundredths of a percent. */
  withheld: bigint
  /** What its maker gets. */
  amount: bigint
}

/**
 * Makes a token of the newer program on a local chain, with a name of its own and a fee on transfers, and gives some of
 * it to who makes it.
 */
export async function mintToken(
  rpcUrl: string,
  key: Uint8Array,
  { seed, name, symbol, withheld, amount }: NewToken,
): Promise<Address> {
  const [signer, rpc] = [await createKeyPairSignerFromPrivateKeyBytes(key), createSolanaRpc(rpcUrl)]
  const owner = signer.address
  const mint = await createAddressWithSeed({ baseAddress: owner, programAddress: token2022Program, seed })
  const account = await tokenAccountOf(owner, mint, token2022Program)
  const instructions = [
    create(owner, mint, seed),
    ofMint(mint, [26, 0, 0, 0, ...numberBytes(withheld, 2), ...numberBytes(2n ** 40n, 8)]),
    ofMint(mint, [39, 0, ...addressBytes(owner), ...addressBytes(mint)]),
    ofMint(mint, [20, 6, ...addressBytes(owner), 0]),
    nameIt(mint, owner, name, symbol),
    open(owner, mint, account),
    mintTo(mint, account, owner, amount),
  ]
  const { value: lifetime } = await rpc.getLatestBlockhash().send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(signer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (living) => appendTransactionMessageInstructions(instructions, living),
  )
  const signed = await signTransactionMessageWithSigners(message)
  await rpc.sendTransaction(getBase64EncodedWireTransaction(signed), { encoding: 'base64' }).send()
  return mint
}

/** Its size before it has a name: a mint, padded, with the places of its fee and of its name's. */
const size = 166n + (4n + 108n) + (4n + 64n)

function create(owner: Address, mint: Address, seed: string): Instruction {
  const head = [3, 0, 0, 0, ...addressBytes(owner), ...numberBytes(BigInt(seed.length), 8), ...textBytes(seed)]
  const rest = [...numberBytes(10n ** 8n, 8), ...numberBytes(size, 8), ...addressBytes(token2022Program)]
  const accounts = [
    { address: owner, role: AccountRole.WRITABLE_SIGNER },
    { address: mint, role: AccountRole.WRITABLE },
  ]
  return { programAddress: systemProgram, accounts, data: new Uint8Array([...head, ...rest]) }
}

function ofMint(mint: Address, data: readonly number[]): Instruction {
  const accounts = [{ address: mint, role: AccountRole.WRITABLE }]
  return { programAddress: token2022Program, accounts, data: new Uint8Array(data) }
}

function nameIt(mint: Address, owner: Address, name: string, symbol: string): Instruction {
  // The first eight bytes are what the interface of token metadata calls this instruction.
  const texts = [name, symbol, ''].flatMap((text) => [...numberBytes(BigInt(text.length), 4), ...textBytes(text)])
  const accounts = [
    { address: mint, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY },
    { address: mint, role: AccountRole.READONLY },
    { address: owner, role: AccountRole.READONLY_SIGNER },
  ]
  const data = new Uint8Array([210, 225, 30, 162, 88, 184, 77, 141, ...texts])
  return { programAddress: token2022Program, accounts, data }
}

function open(owner: Address, mint: Address, account: Address): Instruction {
  return openTokenAccount({ program: token2022Program, mint, payer: owner, owner, account })
}

function mintTo(mint: Address, account: Address, owner: Address, amount: bigint): Instruction {
  const accounts = [
    { address: mint, role: AccountRole.WRITABLE },
    { address: account, role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY_SIGNER },
  ]
  return { programAddress: token2022Program, accounts, data: new Uint8Array([7, ...numberBytes(amount, 8)]) }
}

function numberBytes(value: bigint, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, at) => Number((value >> BigInt(8 * at)) & 255n))
}

function addressBytes(address: Address): readonly number[] {
  return [...getAddressEncoder().encode(address)]
}

function textBytes(text: string): readonly number[] {
  return [...new TextEncoder().encode(text)]
}
