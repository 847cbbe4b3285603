type MmdbValue = string | number | { readonly [key: string]: MmdbValue }

type MmdbDatabase = {
  readonly databaseType: string
  readonly ipVersion: 4 | 6
  /** The data of each network, by its first bits, for example `00001000` for 8.0.0.0/8. */
  readonly networks: Readonly<Record<string, MmdbValue>>
}

type Node = [Node | string | undefined, Node | string | undefined]

const separator = Buffer.alloc(16)
const metadataMarker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
const types = { pointer: 1, text: 2, uint16: 5, uint32: 6, map: 7 } as const

/**
 * Encodes a location database in MaxMind's format (MMDB 2.0), with records of 24 bits.
 *
 * @example const file = encodeMmdb({ databaseType: 'Test-City', ipVersion: 4, networks: { '00001000': { country: … } } })
 */
export function encodeMmdb({ databaseType, ipVersion, networks }: MmdbDatabase): Buffer {
  const root: Node = [undefined, undefined]
  for (const bits of Object.keys(networks)) insertNetwork(root, bits)
  const nodes = listNodes(root)
  const data = new Map<string, number>()
  let size = 0
  const chunks = Object.entries(networks).map(([bits, value]) => {
    const encoded = encodeValue(value)
    data.set(bits, size)
    size += encoded.length
    return encoded
  })
  const toRecord = (record: Node | string | undefined): number => {
    if (record === undefined) return nodes.length
    return typeof record === 'string' ? nodes.length + 16 + (data.get(record) ?? 0) : nodes.indexOf(record)
  }
  const tree = nodes.flatMap((node) => node.map((record) => encodeUint(toRecord(record), 3)))
  const metadata = encodeValue({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_780_000_000,
    database_type: databaseType,
    ip_version: ipVersion,
    node_count: nodes.length,
    record_size: 24,
  })
  return Buffer.concat([...tree, separator, ...chunks, metadataMarker, metadata])
}

function insertNetwork(root: Node, bits: string): void {
  let node = root
  for (const bit of bits.slice(0, -1)) {
    const next = node[Number(bit) === 0 ? 0 : 1]
    const child: Node = typeof next === 'object' ? next : [undefined, undefined]
    node[Number(bit) === 0 ? 0 : 1] = child
    node = child
  }
  node[bits.endsWith('0') ? 0 : 1] = bits
}

function listNodes(root: Node): readonly Node[] {
  const nodes = [root]
  // The list grows while it is visited.
  for (const node of nodes) nodes.push(...node.filter((record) => typeof record === 'object'))
  return nodes
}

function encodeValue(value: MmdbValue): Buffer {
  if (typeof value === 'number') return encodeField('uint32', 4, encodeUint(value, 4))
  if (typeof value === 'string') return encodeField('text', Buffer.byteLength(value), Buffer.from(value))
  const entries = Object.entries(value).flatMap(([key, each]) => [encodeValue(key), encodeValue(each)])
  return encodeField('map', entries.length / 2, Buffer.concat(entries))
}

/** Sizes up to 28 fit into the control byte, longer ones, as in the tests, take one more byte. */
function encodeField(type: keyof typeof types, size: number, content: Buffer): Buffer {
  const control = types[type] << 5
  return Buffer.concat([Buffer.from(size < 29 ? [control | size] : [control | 29, size - 29]), content])
}

function encodeUint(value: number, bytes: number): Buffer {
  const encoded = Buffer.alloc(bytes)
  encoded.writeUIntBE(value, 0, bytes)
  return encoded
}
