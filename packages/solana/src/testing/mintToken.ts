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
import { createTokenAccount } from '../transfers/transferTokens.ts'
import { systemProgram, token2022Program, getTokenAccount } from '../transfers/programs.ts'

export type NewToken = {
  seed: string
  name: string
  symbol: string
  /** The fee that each transfer withholds, in hundredths of a percent. */
  withheld: bigint
  /** The amount that the creator receives, in base units. */
  amount: bigint
  /** A restriction of its transfers. */
  restriction?: 'non-transferable' | 'transfer-hook'
}

/** Creates a Token-2022 token with metadata and a transfer fee on a local chain, and mints some to its creator. */
export async function mintToken(
  rpcUrl: string,
  key: Uint8Array,
  { seed, name, symbol, withheld, amount, restriction }: NewToken,
): Promise<Address> {
  const [signer, rpc] = [await createKeyPairSignerFromPrivateKeyBytes(key), createSolanaRpc(rpcUrl)]
  const owner = signer.address
  const mint = await createAddressWithSeed({ baseAddress: owner, programAddress: token2022Program, seed })
  const account = await getTokenAccount(owner, mint, token2022Program)
  const instructions = [
    createMintAccount(owner, mint, seed, restriction),
    mintInstruction(mint, [26, 0, 0, 0, ...numberBytes(withheld, 2), ...numberBytes(2n ** 40n, 8)]),
    mintInstruction(mint, [39, 0, ...addressBytes(owner), ...addressBytes(mint)]),
    ...restrict(owner, mint, restriction),
    mintInstruction(mint, [20, 6, ...addressBytes(owner), 0]),
    initializeMetadata(mint, owner, name, symbol),
    openHolding(owner, mint, account),
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

/** The size of the mint before its metadata is set: padding, the transfer fee and the metadata pointer. */
const size = 166n + (4n + 108n) + (4n + 64n)

/** The bytes that a restriction adds: a header and its data. */
const restrictionSizes = { 'non-transferable': 4n, 'transfer-hook': 4n + 64n } as const

/** Initializes the extension of a restriction: InitializeNonTransferableMint, or InitializeTransferHook. */
function restrict(owner: Address, mint: Address, restriction: NewToken['restriction']): readonly Instruction[] {
  if (restriction === undefined) return []
  if (restriction === 'non-transferable') return [mintInstruction(mint, [32])]
  return [mintInstruction(mint, [36, 0, ...addressBytes(owner), ...addressBytes(systemProgram).map(() => 7)])]
}

function createMintAccount(
  owner: Address,
  mint: Address,
  seed: string,
  restriction: NewToken['restriction'],
): Instruction {
  const head = [3, 0, 0, 0, ...addressBytes(owner), ...numberBytes(BigInt(seed.length), 8), ...textBytes(seed)]
  const added = restriction === undefined ? 0n : restrictionSizes[restriction]
  const rest = [...numberBytes(10n ** 8n, 8), ...numberBytes(size + added, 8), ...addressBytes(token2022Program)]
  const accounts = [
    { address: owner, role: AccountRole.WRITABLE_SIGNER },
    { address: mint, role: AccountRole.WRITABLE },
  ]
  return { programAddress: systemProgram, accounts, data: new Uint8Array([...head, ...rest]) }
}

function mintInstruction(mint: Address, data: readonly number[]): Instruction {
  const accounts = [{ address: mint, role: AccountRole.WRITABLE }]
  return { programAddress: token2022Program, accounts, data: new Uint8Array(data) }
}

function initializeMetadata(mint: Address, owner: Address, name: string, symbol: string): Instruction {
  // The first eight bytes identify the instruction in the token metadata interface.
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

function openHolding(owner: Address, mint: Address, account: Address): Instruction {
  return createTokenAccount({ program: token2022Program, mint, payer: owner, owner, account })
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
