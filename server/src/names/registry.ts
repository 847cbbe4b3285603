import { getAddress, hashMessage, hexToBytes, type Address, type Hex } from 'viem'
import type { Clock } from '../kit/clock.ts'
import { Problem } from '../kit/problem.ts'
import { chainOfCoinType, mainnetCoinType } from './coinType.ts'
import { isLabel, readName } from './nameForm.ts'
import type { Signatures } from './signatures.ts'
import { checkTime, readAttributes, readMessage, readText } from './signedMessage.ts'
import type { NameRecord, NameStore, Verdict } from './store.ts'
import { labelsLike, mostSuggestions } from './suggestions.ts'

/** What the bodies of all changes hold. */
export type SignedChange = { coin_type: number; address: string; message: string; signature: string }

/** The names that this server gives. */
export type Registry = {
  /** Suffixes that names may have, without their dot; new names get the first. */
  readonly zones: readonly string[]
  find(name: string): Promise<NameRecord | undefined>
  ofOwner(address: string): Promise<readonly NameRecord[]>
  suggest(typed: string, zone: string | undefined): Promise<readonly { name: string; registered: boolean }[]>
  register(sent: SignedChange): Promise<NameRecord>
  changeAttributes(name: string, sent: SignedChange): Promise<NameRecord>
  changeAddress(name: string, sent: SignedChange): Promise<NameRecord>
}

export type RegistryParts = {
  zones: readonly string[]
  store: NameStore
  signatures: Signatures
  clock: Clock
  /** How many names an address may register in an hour. */
  mostPerHour: number
  /** Told the address whose names changed. */
  changed(owner: string): void
}

/** Opens the names under some zones. */
export function createRegistry(parts: RegistryParts): Registry {
  const { zones, store } = parts
  return {
    zones,
    find: (name) => find(parts, name),
    ofOwner: (address) => store.ofOwner(address.toLowerCase()),
    suggest: (typed, zone = zones[0]) => suggest(parts, typed, zone),
    register: (sent) => register(parts, sent),
    changeAttributes: (name, sent) =>
      change(parts, name, sent, (message) => ({ attributes: readAttributes(message['attributes']) ?? {} })),
    changeAddress: (name, sent) =>
      change(parts, name, sent, (message) => {
        const coinType = message['coin_type']
        if (typeof coinType !== 'number') throw new Problem(422, 'message', 'The message lacks "coin_type".')
        readChain(coinType)
        return { coinType, address: readAddress(readText(message, 'address')) }
      }),
  }
}

/** What can be no name is nobody's, and not looked for. */
async function find({ store }: RegistryParts, name: string): Promise<NameRecord | undefined> {
  return /^[a-zA-Z0-9.-]+$/.test(name) ? store.find(name.toLowerCase()) : undefined
}

async function suggest(
  { zones, store }: RegistryParts,
  typed: string,
  zone: string | undefined,
): Promise<readonly { name: string; registered: boolean }[]> {
  if (zone === undefined || !zones.includes(zone)) {
    throw new Problem(400, 'zone', 'No names are given in this zone.')
  }
  const exact = isLabel(typed) ? [`${typed}.${zone}`] : []
  const others = labelsLike(typed).map((label) => `${label}.${zone}`)
  const taken = await store.taken([...exact, ...others])
  return [
    ...exact.map((name) => ({ name, registered: taken.has(name) })),
    ...others.filter((name) => !taken.has(name)).map((name) => ({ name, registered: false })),
  ].slice(0, mostSuggestions)
}

/** One check after the other, the signature last: it may cost a question to a chain. */
async function register(parts: RegistryParts, sent: SignedChange): Promise<NameRecord> {
  const { zones, store, clock, mostPerHour } = parts
  const message = readMessage(sent.message)
  const name = readName(readText(message, 'name'), zones)
  const chainId = readChain(sent.coin_type)
  if ((await store.find(name)) !== undefined) throw problemOf('taken')
  checkTime(message, clock.now())
  const attributes = readAttributes(message['attributes'])
  const proof = readProof(sent)
  const owner = await proveOwner(parts, proof, chainId)
  const coinTypes = [...new Set([mainnetCoinType, sent.coin_type])]
  const wanted = { name, owner, address: proof.address, coinTypes, attributes, message: hashOf(proof) }
  return settle(parts, wanted, await store.register({ ...wanted, now: clock.now(), mostPerHour }))
}

async function change(
  parts: RegistryParts,
  given: string,
  sent: SignedChange,
  read: (message: Readonly<Record<string, unknown>>) => Wanted,
): Promise<NameRecord> {
  const { store, clock } = parts
  const message = readMessage(sent.message)
  const chainId = readChain(sent.coin_type)
  const name = given.toLowerCase()
  // The message may name its name; it is then good for that one only.
  if (message['name'] !== undefined && message['name'] !== name) {
    throw new Problem(400, 'name', 'The message is about another name.')
  }
  if ((await find(parts, name)) === undefined) throw new Problem(400, 'name', 'This name is not registered.')
  checkTime(message, clock.now())
  const wanted = read(message)
  const proof = readProof(sent)
  const owner = await proveOwner(parts, proof, chainId)
  const verdict = await store.change({ name, owner, message: hashOf(proof), now: clock.now(), ...wanted })
  return settle(parts, { name, owner }, verdict)
}

async function proveOwner({ signatures }: RegistryParts, proof: Proof, chainId: number): Promise<string> {
  if (!(await signatures.isSigned(proof, chainId))) {
    throw new Problem(401, 'signature', 'The address did not sign this message.')
  }
  return proof.address.toLowerCase()
}

async function settle(
  { store, changed }: RegistryParts,
  { name, owner }: { name: string; owner: string },
  verdict: Verdict,
): Promise<NameRecord> {
  if (verdict !== 'done') throw problemOf(verdict)
  changed(owner)
  const record = await store.find(name)
  if (record === undefined) throw new Error('A name is gone right after it was written.')
  return record
}

type Wanted = { attributes: Readonly<Record<string, string>> } | { coinType: number; address: string }
type Proof = { address: Address; message: string; signature: Hex }

function readChain(coinType: number): number {
  const chainId = chainOfCoinType(coinType)
  if (chainId === undefined) throw new Problem(400, 'coin_type', 'Names are for chains of eip155 only.')
  return chainId
}

function readAddress(text: string): Address {
  if (!/^0x[0-9a-f]{40}$/i.test(text) || /^0x0{40}$/i.test(text)) {
    throw new Problem(400, 'address', 'This is not an address of eip155.')
  }
  return getAddress(text)
}

function readProof({ address, message, signature }: SignedChange): Proof {
  const isHex = /^0x(?:[0-9a-f]{2})+$/i.test(signature)
  if (!isHex) throw new Problem(401, 'signature', 'The signature is not hexadecimal.')
  // Looked at just now.
  return { address: readAddress(address), message, signature: signature as Hex }
}

/** Bound to who signed: what one signed uses up no message of another. */
function hashOf({ address, message }: Proof): Uint8Array {
  return hexToBytes(hashMessage(`${address}\n${message}`))
}

function problemOf(verdict: Exclude<Verdict, 'done'>): Problem {
  if (verdict === 'taken') return new Problem(400, 'name', 'Name is already registered')
  if (verdict === 'replayed') return new Problem(400, 'timestamp', 'This message was used before.')
  if (verdict === 'not-owner') return new Problem(401, 'address', 'This address does not own the name.')
  return new Problem(429, 'address', 'This address registered too many names in an hour.', { retryAfter: 3600 })
}
