import { type Network, inputError } from '@latchkey/protocol'
import { getBase64Encoder, type Address } from '@solana/kit'
import { parseSolanaAddress } from '../address/parseSolanaAddress.ts'
import { getSolanaClient, wrapUnreachable, type SolanaClient, type SolanaClients } from '../chain/solanaClients.ts'
import { parseExtensions } from './extensions.ts'
import { isTokenProgram, token2022Program } from './programs.ts'

/** The mint of a token. */
export type Mint = {
  readonly address: Address
  readonly program: Address
  readonly decimals: number
  /** The data of its extensions, by the number of each (Token-2022). */
  readonly extensions: ReadonlyMap<number, Uint8Array>
}

/** An account with its data. */
export type Account = { owner: Address; lamports: bigint; executable: boolean; data: Uint8Array }

/** Reads several accounts with one request. An account that does not exist is `undefined`. */
export async function getAccounts(
  clients: SolanaClients,
  network: Network,
  wanted: readonly Address[],
): Promise<readonly (Account | undefined)[]> {
  const config = { encoding: 'base64', commitment: 'confirmed' } as const
  const request: ReturnType<SolanaClient['getMultipleAccounts']> = getSolanaClient(
    clients,
    network,
  ).getMultipleAccounts(wanted, config)
  const { value } = await wrapUnreachable(network, request.send())
  return value.map((account) => {
    if (account === null) return undefined
    const { owner, lamports, executable, data } = account
    return { owner, lamports, executable, data: decodeAccountData(data) }
  })
}

/**
 * Reads a mint.
 *
 * @throws LatchkeyError `address/invalid` if the token does not exist
 */
export async function getMint(clients: SolanaClients, network: Network, address: string): Promise<Mint> {
  const [account] = await getAccounts(clients, network, [parseSolanaAddress(address)])
  return parseMint(account, address)
}

/**
 * Parses a mint account.
 *
 * @throws LatchkeyError `address/invalid` if the account is not a mint
 */
export function parseMint(account: Account | undefined, address: string): Mint {
  const data = account?.data ?? new Uint8Array()
  const isMint = account !== undefined && isTokenProgram(account.owner) && hasMintLayout(account.owner, data)
  if (!isMint) throw inputError('address/invalid', { namespace: 'solana', value: address })
  const [decimals = 0] = data.subarray(44)
  return { address: parseSolanaAddress(address), program: account.owner, decimals, extensions: parseExtensions(data) }
}

/** True for an account that holds a token. It has 165 bytes; with extensions, a byte marks it. */
export function isTokenAccount(account: Account | undefined): boolean {
  if (account === undefined || !isTokenProgram(account.owner)) return false
  const { data } = account
  return data.length === 165 || (data.length > 165 && data[165] === 2)
}

/** A mint has 82 bytes and an initialized flag. With extensions it is padded, and a byte marks it as a mint. */
function hasMintLayout(program: Address, data: Uint8Array): boolean {
  const isInitialized = data[45] === 1
  return isInitialized && (data.length === 82 || (program === token2022Program && data.length > 165 && data[165] === 1))
}

/** Decodes account data, which nodes send as a pair of text and encoding. */
function decodeAccountData(data: unknown): Uint8Array {
  const [text] = Array.isArray(data) ? data : [undefined]
  return typeof text === 'string' ? new Uint8Array(getBase64Encoder().encode(text)) : new Uint8Array()
}
