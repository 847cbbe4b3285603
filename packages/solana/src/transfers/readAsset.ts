import type { Network } from '@latchkey/protocol'
import type { Readers } from '../readers.ts'
import { metadataExtension } from './extensions.ts'
import { readAccounts, readMint } from './mint.ts'
import { metadataAccountOf, metadataProgram } from './programs.ts'

type Named = { readonly name: string; readonly symbol: string }

/** Longer ones are no names. */
const longest = 64

/**
 * Reads what a token is: from itself, or from the metadata program. One that has no name goes by its address.
 *
 * @throws LatchkeyError `address/invalid` where there is no such token, `rpc/unreachable`.
 */
export async function readAsset(
  readers: Readers,
  network: Network,
  address: string,
): Promise<Named & { readonly address: string; readonly decimals: number }> {
  const mint = await readMint(readers, network, address)
  const own = mint.extensions.get(metadataExtension)
  // Both forms begin with two addresses; the older one has a byte before them that says what it is.
  const named = own === undefined ? undefined : namesAt(own, 64)
  const { name, symbol } = named ?? (await namesOutside(readers, network, mint.address)) ?? unnamed(address)
  return { address, name, symbol, decimals: mint.decimals }
}

async function namesOutside(
  readers: Readers,
  network: Network,
  mint: Parameters<typeof metadataAccountOf>[0],
): Promise<Named | undefined> {
  const [account] = await readAccounts(readers, network, [await metadataAccountOf(mint)])
  return account?.owner === metadataProgram ? namesAt(account.data, 65) : undefined
}

/** Two texts, each with its length before it; undefined when that is not what is there. */
function namesAt(data: Uint8Array, start: number): Named | undefined {
  try {
    const [name, next] = textAt(data, start)
    const [symbol] = textAt(data, next)
    return symbol === '' ? undefined : { name: name === '' ? symbol : name, symbol }
  } catch {
    return undefined
  }
}

function textAt(data: Uint8Array, at: number): readonly [text: string, next: number] {
  const length = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true)
  const next = at + 4 + length
  if (next > data.length) throw new RangeError('The text ends behind the data.')
  const text = new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(at + 4, next))
  // Padded with zeros in the older form; what cannot be seen has no place in a name.
  return [text.replaceAll(/\p{C}/gu, '').trim().slice(0, longest), next]
}

function unnamed(address: string): Named {
  const short = `${address.slice(0, 4)}…${address.slice(-4)}`
  return { name: short, symbol: short }
}
