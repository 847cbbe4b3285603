import type { IndexedChain } from '../../indexer/chains.ts'
import { AddressRefused, type SafeFetch } from '../../kit/safeFetch.ts'
import type { NftId } from './nftFacts.ts'

/** What the metadata of an NFT says (the schema of ERC-721 and ERC-1155), as far as it is of use. */
export type Metadata = {
  name?: string
  /** An address of the web, or the picture itself as a data URI. */
  picture?: string
  contentType?: string
}

export type MetadataParts = { safeFetch: SafeFetch; ipfsGateway: string | undefined }

const metadataBytes = 256 * 1024
/** `tokenURI(uint256)` of ERC-721 and `uri(uint256)` of ERC-1155. */
const selectors = ['0xc87b56dd', '0x0e89341c'] as const

/**
 * Makes the reader of metadata. It gives undefined when nobody answered, which may be otherwise another time, and
 * nothing but an empty record where a contract or its metadata says nothing of use.
 */
export function createMetadataReader({ safeFetch, ipfsGateway }: MetadataParts) {
  async function load(uri: string): Promise<Buffer | undefined> {
    const data = readDataUri(uri)
    if (data !== undefined) return data.body
    const url = webAddress(uri, ipfsGateway)
    if (url === undefined) return Buffer.alloc(0)
    try {
      const { status, body } = await safeFetch.fetch(url, { bytes: metadataBytes })
      return status === 200 ? Buffer.from(body) : undefined
    } catch (error) {
      return error instanceof AddressRefused ? Buffer.alloc(0) : undefined
    }
  }

  return async function read(
    chain: Pick<IndexedChain, 'rpc'>,
    { token, tokenId }: NftId,
  ): Promise<Metadata | undefined> {
    const id = BigInt(tokenId).toString(16).padStart(64, '0')
    const answers = await chain.rpc.tryAll(
      selectors.map((selector) => ['eth_call', [{ to: token, data: selector + id }, 'latest']] as const),
    )
    const uri = answers.map(readLongText).find((text) => text !== undefined && text !== '')
    if (uri === undefined) return {}
    // ERC-1155 leaves the id to be filled in.
    const body = await load(uri.replaceAll('{id}', id))
    return body === undefined ? undefined : readMetadata(body, ipfsGateway)
  }
}

/** Reads the JSON of metadata; anything may be in it. */
function readMetadata(body: Buffer, ipfsGateway: string | undefined): Metadata {
  const said = parsed(body)
  const { name, image, image_url: other } = said
  const picture = [image, other].find((each): each is string => typeof each === 'string' && each !== '')
  const data = picture === undefined ? undefined : readDataUri(picture)
  const place = data === undefined && picture !== undefined ? webAddress(picture, ipfsGateway) : undefined
  return {
    ...(typeof name === 'string' && name !== '' ? { name: name.slice(0, 200) } : {}),
    ...(data !== undefined && picture !== undefined ? { picture, contentType: data.type } : {}),
    ...(place === undefined ? {} : { picture: place }),
  }
}

function parsed(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

/** Where an address leads on the web; undefined where it leads nowhere that we go. */
export function webAddress(uri: string, ipfsGateway: string | undefined): string | undefined {
  if (uri.length > 2_048) return undefined
  const path = /^ipfs:\/\/(?:ipfs\/)?([\w./%-]+)$/.exec(uri)?.[1]
  if (path !== undefined) return ipfsGateway === undefined || path.includes('..') ? undefined : ipfsGateway + path
  return /^https?:\/\//.test(uri) && URL.canParse(uri) ? uri : undefined
}

/** Reads a data URI (RFC 2397); undefined when it is none. */
export function readDataUri(uri: string): { type: string; body: Buffer } | undefined {
  const [, type = 'text/plain', options = '', written = ''] =
    /^data:([\w.+/-]*)((?:;[^,;]*)*),([\s\S]*)$/.exec(uri) ?? []
  if (!uri.startsWith('data:') || written.length > 4 * metadataBytes) return undefined
  const body = options.endsWith(';base64') ? Buffer.from(written, 'base64') : Buffer.from(unescaped(written), 'utf8')
  return { type: type.toLowerCase(), body }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Contracts often forget to escape.
    return text
  }
}

/** A text of any reasonable length, as a contract returns it: metadata may be inside of it. */
function readLongText(returned: unknown): string | undefined {
  if (typeof returned !== 'string' || !/^0x(?:[0-9a-f]{64}){2,}$/i.test(returned)) return undefined
  const bytes = Buffer.from(returned.slice(2), 'hex')
  const offset = wordAt(bytes, 0)
  const length = offset === undefined ? undefined : wordAt(bytes, offset)
  if (offset === undefined || length === undefined || offset + 32 + length > bytes.length) return undefined
  return bytes.subarray(offset + 32, offset + 32 + length).toString('utf8')
}

function wordAt(bytes: Buffer, at: number): number | undefined {
  if (at + 32 > bytes.length) return undefined
  const word = BigInt(`0x${bytes.subarray(at, at + 32).toString('hex')}`)
  return word <= BigInt(bytes.length) ? Number(word) : undefined
}
