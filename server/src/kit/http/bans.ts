import { BlockList, isIP, isIPv4 } from 'node:net'

/** Tells whether a client or an address is banned. */
export type Bans = {
  /** @param address an IPv4 or IPv6 address in full length */
  hasAddress(address: string): boolean
  /** @param clientId a `did:key` of a client of the relay */
  hasClient(clientId: string): boolean
  /** The ids of banned projects. */
  readonly projects: ReadonlySet<string>
}

const clientPattern = /^did:key:z[1-9A-HJ-NP-Za-km-z]{40,60}$/
const projectPattern = /^[0-9a-f]{32}$/
/** Shorter prefixes would ban whole providers by mistake. */
const prefixes = { 4: { least: 16, most: 32 }, 6: { least: 32, most: 128 } } as const

/**
 * Parses the subject of a ban: a project id, a client id of the relay (`did:key:…`), an address, or a prefix such as
 * `203.0.113.0/24` and `2001:db8:1::/48`.
 *
 * @returns its only form, so that equal bans have equal strings: the first address of a prefix, without a length for one
 *   address
 * @throws Error with a sentence if it is none of them
 */
export function parseBan(text: string): string {
  const lower = text.toLowerCase()
  if (projectPattern.test(lower)) return lower
  if (clientPattern.test(text)) return text
  const { address, bits } = parsePrefix(lower)
  const width = isIPv4(address) ? 32 : 128
  const first = formatBytes(maskBytes(parseBytes(address), bits))
  return bits === width ? first : `${first}/${bits}`
}

/** Creates the check of a list of bans, in the form of `parseBan`. */
export function createBans(subjects: readonly string[]): Bans {
  const clients = new Set(subjects.filter((subject) => clientPattern.test(subject)))
  const projects = new Set(subjects.filter((subject) => projectPattern.test(subject)))
  const networks = new BlockList()
  let hasNetworks = false
  for (const subject of subjects) {
    if (clients.has(subject) || projects.has(subject)) continue
    const { address, bits } = parsePrefix(subject)
    networks.addSubnet(address, bits, isIPv4(address) ? 'ipv4' : 'ipv6')
    hasNetworks = true
  }
  return {
    projects,
    hasClient: (clientId) => clients.has(clientId),
    hasAddress(address) {
      // The zone of a link-local address is the name of an interface of this machine.
      const [plain = ''] = address.split('%')
      const family = isIP(plain)
      return hasNetworks && family !== 0 && networks.check(plain, family === 4 ? 'ipv4' : 'ipv6')
    },
  }
}

function parsePrefix(text: string): { address: string; bits: number } {
  const [address = '', length] = text.split('/')
  const family = isIP(address)
  const isMapped = address.startsWith('::ffff:')
  if ((family !== 4 && family !== 6) || isMapped || address.includes('%') || !/^\d{1,3}$/.test(length ?? '0')) {
    throw new Error(
      `"${text}" can't be banned. Use a project id, a client id (did:key:…), an address, or a prefix such as 203.0.113.0/24.`,
    )
  }
  const { least, most } = prefixes[family]
  const bits = length === undefined ? most : Number(length)
  if (bits < least || bits > most) {
    throw new Error(`A prefix of an IPv${family} address has ${least} to ${most} bits, and "${text}" has ${bits}.`)
  }
  return { address, bits }
}

function parseBytes(address: string): Uint8Array {
  if (isIPv4(address)) return Uint8Array.from(address.split('.').map(Number))
  // The URL parser writes an embedded IPv4 address as hexadecimal groups.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')))
  const groups = [...(before ?? []), ...Array<string>(8 - (before?.length ?? 0) - (after?.length ?? 0)).fill('0')]
  const numbers = [...groups, ...(after ?? [])].map((group) => Number.parseInt(group, 16))
  return Uint8Array.from(numbers.flatMap((group) => [group >> 8, group & 0xff]))
}

function maskBytes(bytes: Uint8Array, bits: number): Uint8Array {
  return bytes.map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8))
    return byte & (0xff << (8 - kept)) & 0xff
  })
}

function formatBytes(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  )
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}
