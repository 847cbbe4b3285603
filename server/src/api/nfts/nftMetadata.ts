import type { IndexedChain } from '../../indexer/indexedChains.ts'
import { AddressNotAllowedError, type SafeFetch } from '../../kit/http/safeFetch.ts'
import type { Hex } from '../../indexer/block.ts'

/** An NFT of a chain. */
export type NftId = { token: Hex; tokenId: string }

/** The used fields of NFT metadata (ERC-721, ERC-1155). */
export type NftMetadata = {
  name?: string
  /** A web URL or a data URI. */
  picture?: string
  contentType?: string
}

export type NftMetadataDependencies = { safeFetch: SafeFetch; ipfsGateway: string | undefined }

const metadataBytes = 256 * 1024
/** `tokenURI(uint256)` of ERC-721 and `uri(uint256)` of ERC-1155. */
const selectors = ['0xc87b56dd', '0x0e89341c'] as const

/**
 * Creates the reader of NFT metadata. It returns `undefined` if the node or web server failed, and an empty record if
 * there is no usable metadata.
 */
export function createNftMetadataReader({ safeFetch, ipfsGateway }: NftMetadataDependencies) {
  async function load(uri: string): Promise<Buffer | undefined> {
    const data = parseDataUri(uri)
    if (data !== undefined) return data.body
    const url = toWebUrl(uri, ipfsGateway)
    if (url === undefined) return Buffer.alloc(0)
    try {
      const { status, body } = await safeFetch.fetch(url, { maxBytes: metadataBytes })
      return status === 200 ? Buffer.from(body) : undefined
    } catch (error) {
      return error instanceof AddressNotAllowedError ? Buffer.alloc(0) : undefined
    }
  }

  return async function read(
    chain: Pick<IndexedChain, 'rpc'>,
    { token, tokenId }: NftId,
  ): Promise<NftMetadata | undefined> {
    const id = BigInt(tokenId).toString(16).padStart(64, '0')
    const responses = await chain.rpc.tryBatch(
      selectors.map((selector) => ['eth_call', [{ to: token, data: selector + id }, 'latest']] as const),
    )
    const uri = responses.map(parseLongAbiText).find((text) => text !== undefined && text !== '')
    if (uri === undefined) return {}
    // ERC-1155 URIs contain a placeholder for the id.
    const body = await load(uri.replaceAll('{id}', id))
    return body === undefined ? undefined : parseNftMetadata(body, ipfsGateway)
  }
}

/** Parses the JSON of metadata, which may contain anything. */
function parseNftMetadata(body: Buffer, ipfsGateway: string | undefined): NftMetadata {
  const metadata = parseJsonObject(body)
  const { name, image, image_url: other } = metadata
  const picture = [image, other].find((each): each is string => typeof each === 'string' && each !== '')
  const data = picture === undefined ? undefined : parseDataUri(picture)
  const place = data === undefined && picture !== undefined ? toWebUrl(picture, ipfsGateway) : undefined
  return {
    ...(typeof name === 'string' && name !== '' ? { name: name.slice(0, 200) } : {}),
    ...(data !== undefined && picture !== undefined ? { picture, contentType: data.type } : {}),
    ...(place === undefined ? {} : { picture: place }),
  }
}

function parseJsonObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

/** Converts a URI to a web URL. Returns `undefined` for unsupported schemes. */
export function toWebUrl(uri: string, ipfsGateway: string | undefined): string | undefined {
  if (uri.length > 2_048) return undefined
  const path = /^ipfs:\/\/(?:ipfs\/)?([\w./%-]+)$/.exec(uri)?.[1]
  if (path !== undefined) return ipfsGateway === undefined || leavesFolder(path) ? undefined : ipfsGateway + path
  return /^https?:\/\//.test(uri) && URL.canParse(uri) ? uri : undefined
}

/** True if a path leaves its folder, even with dots or slashes that are encoded once or more. */
function leavesFolder(path: string): boolean {
  const decoded = decodePercent(path)
  if (decoded !== path) return leavesFolder(decoded)
  return path.split(/[/\\]/).some((segment) => segment === '.' || segment === '..')
}

/** Parses a data URI (RFC 2397). Its media type has 255 characters at most (RFC 6838). */
export function parseDataUri(uri: string): { type: string; body: Buffer } | undefined {
  const parts = /^data:([\w.+/-]{0,255})((?:;[^,;]*)*),([\s\S]*)$/.exec(uri)
  if (parts === null) return undefined
  const [, type = '', options = '', written = ''] = parts
  if (written.length > 4 * metadataBytes) return undefined
  const body = options.endsWith(';base64')
    ? Buffer.from(written, 'base64')
    : Buffer.from(decodePercent(written), 'utf8')
  return { type: type.toLowerCase(), body }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Many contracts do not escape.
    return text
  }
}

/** Parses an ABI `string` of any length, because metadata may be inlined. */
function parseLongAbiText(returned: unknown): string | undefined {
  if (typeof returned !== 'string' || !/^0x(?:[0-9a-f]{64}){2,}$/i.test(returned)) return undefined
  const bytes = Buffer.from(returned.slice(2), 'hex')
  const offset = readWordAt(bytes, 0)
  const length = offset === undefined ? undefined : readWordAt(bytes, offset)
  if (offset === undefined || length === undefined || offset + 32 + length > bytes.length) return undefined
  return bytes.subarray(offset + 32, offset + 32 + length).toString('utf8')
}

function readWordAt(bytes: Buffer, at: number): number | undefined {
  if (at + 32 > bytes.length) return undefined
  const word = BigInt(`0x${bytes.subarray(at, at + 32).toString('hex')}`)
  return word <= BigInt(bytes.length) ? Number(word) : undefined
}
