import { LatchkeyError, type Network } from '@latchkey/protocol'
import { getBase64Encoder, type Address } from '@solana/kit'
import { checkedAddress } from '../checkedAddress.ts'
import { readerOf, reading, type Reader, type Readers } from '../readers.ts'
import { extensionsOf } from './extensions.ts'
import { isTokenProgram, token2022Program } from './programs.ts'

/** A token, as the program that keeps it says. */
export type Mint = {
  readonly address: Address
  readonly program: Address
  readonly decimals: number
  /** What was added to it, by the number of each addition (Token-2022). */
  readonly extensions: ReadonlyMap<number, Uint8Array>
}

/** An account in full; undefined when there is none. */
export type Account = { owner: Address; lamports: bigint; executable: boolean; data: Uint8Array }

/** Reads accounts at once, in the order in which they are asked for. */
export async function readAccounts(
  readers: Readers,
  network: Network,
  wanted: readonly Address[],
): Promise<readonly (Account | undefined)[]> {
  const config = { encoding: 'base64', commitment: 'confirmed' } as const
  const asked: ReturnType<Reader['getMultipleAccounts']> = readerOf(readers, network).getMultipleAccounts(
    wanted,
    config,
  )
  const { value } = await reading(network, asked.send())
  return value.map((account) => {
    if (account === null) return undefined
    const { owner, lamports, executable, data } = account
    return { owner, lamports, executable, data: bytesOf(data) }
  })
}

/** @throws LatchkeyError `address/invalid` where there is no such token. */
export async function readMint(readers: Readers, network: Network, address: string): Promise<Mint> {
  const [account] = await readAccounts(readers, network, [checkedAddress(address)])
  return mintOf(account, address)
}

/** @throws LatchkeyError `address/invalid` when the account is no mint. */
export function mintOf(account: Account | undefined, address: string): Mint {
  const data = account?.data ?? new Uint8Array()
  const isMint = account !== undefined && isTokenProgram(account.owner) && hasShapeOfMint(account.owner, data)
  if (!isMint) throw new LatchkeyError('address/invalid', { namespace: 'solana', value: address })
  const [decimals = 0] = data.subarray(44)
  return { address: checkedAddress(address), program: account.owner, decimals, extensions: extensionsOf(data) }
}

/** 82 bytes of which one says that it is in use; with extensions it is padded, and a byte says that it is a mint. */
function hasShapeOfMint(program: Address, data: Uint8Array): boolean {
  const isInUse = data[45] === 1
  return isInUse && (data.length === 82 || (program === token2022Program && data.length > 165 && data[165] === 1))
}

/** The bytes of an account, which nodes write as a pair of text and encoding. */
function bytesOf(data: unknown): Uint8Array {
  const [text] = Array.isArray(data) ? data : [undefined]
  return typeof text === 'string' ? new Uint8Array(getBase64Encoder().encode(text)) : new Uint8Array()
}
