import type { Network } from '@latchkey/protocol'
import type { SolanaClients } from '../chain/solanaClients.ts'
import { metadataExtension } from './extensions.ts'
import { getAccounts, getMint } from './mint.ts'
import { getMetadataAccount, metadataProgram } from './programs.ts'

type TokenNames = { readonly name: string; readonly symbol: string }

/** Longer names are cut. */
const longestName = 64

/**
 * Reads the name, symbol and decimals of a token, from its mint or from the metadata program. A token without a name gets
 * its shortened address as name.
 *
 * @throws LatchkeyError `address/invalid` if the token does not exist, `rpc/unreachable`
 */
export async function getSolanaAsset(
  clients: SolanaClients,
  network: Network,
  address: string,
): Promise<TokenNames & { readonly address: string; readonly decimals: number }> {
  const mint = await getMint(clients, network, address)
  const own = mint.extensions.get(metadataExtension)
  // Both formats begin with two addresses. The older one has a type byte before them.
  const names = own === undefined ? undefined : parseNames(own, 64)
  const { name, symbol } = names ?? (await readMetadataNames(clients, network, mint.address)) ?? abbreviate(address)
  return { address, name, symbol, decimals: mint.decimals }
}

async function readMetadataNames(
  clients: SolanaClients,
  network: Network,
  mint: Parameters<typeof getMetadataAccount>[0],
): Promise<TokenNames | undefined> {
  const [account] = await getAccounts(clients, network, [await getMetadataAccount(mint)])
  return account?.owner === metadataProgram ? parseNames(account.data, 65) : undefined
}

/** Parses two strings, each preceded by its length. Returns `undefined` if the data is invalid. */
function parseNames(data: Uint8Array, start: number): TokenNames | undefined {
  try {
    const [name, next] = parseText(data, start)
    const [symbol] = parseText(data, next)
    return symbol === '' ? undefined : { name: name === '' ? symbol : name, symbol }
  } catch {
    return undefined
  }
}

function parseText(data: Uint8Array, at: number): readonly [text: string, next: number] {
  const length = new DataView(data.buffer, data.byteOffset, data.byteLength).getUint32(at, true)
  const next = at + 4 + length
  if (next > data.length) throw new RangeError('The string is longer than the data.')
  const text = new TextDecoder('utf-8', { fatal: true }).decode(data.subarray(at + 4, next))
  // The older format is padded with zeros. Invisible characters are removed as well.
  return [text.replaceAll(/\p{C}/gu, '').trim().slice(0, longestName), next]
}

function abbreviate(address: string): TokenNames {
  const short = `${address.slice(0, 4)}…${address.slice(-4)}`
  return { name: short, symbol: short }
}
