import { getAddress, hashMessage, hexToBytes, type Address, type Hex } from 'viem'
import type { Clock } from '../kit/runtime/clock.ts'
import { Problem } from '../kit/http/problem.ts'
import { getCoinTypeChainId, mainnetCoinType } from './coinType.ts'
import { isNameLabel, parseName } from './parseName.ts'
import type { SignatureVerifier } from './signatureVerifier.ts'
import { assertRecent, parseAttributes, parseSignedMessage, getMessageText } from './signedMessage.ts'
import type { NameRecord, NameStore, NameChangeResult } from './nameStore.ts'
import { suggestLabels, maxSuggestions } from './suggestions.ts'

/** The body of every change. */
export type SignedChange = { coin_type: number; address: string; message: string; signature: string }

/** The names of this server. */
export type NameRegistry = {
  /** Suffixes that names may have, without their dot; new names get the first. */
  readonly zones: readonly string[]
  find(name: string): Promise<NameRecord | undefined>
  ofOwner(address: string): Promise<readonly NameRecord[]>
  suggest(typed: string, zone: string | undefined): Promise<readonly { name: string; registered: boolean }[]>
  register(sent: SignedChange): Promise<NameRecord>
  changeAttributes(name: string, sent: SignedChange): Promise<NameRecord>
  changeAddress(name: string, sent: SignedChange): Promise<NameRecord>
}

export type NameRegistryDependencies = {
  zones: readonly string[]
  store: NameStore
  signatures: SignatureVerifier
  clock: Clock
  /** How many names an address may register in an hour. */
  mostPerHour: number
  /** Called with the address whose names changed. */
  changed(owner: string): void
}

/** Creates the registry of names under some zones. */
export function createNameRegistry(parts: NameRegistryDependencies): NameRegistry {
  const { zones, store } = parts
  return {
    zones,
    find: (name) => find(parts, name),
    ofOwner: (address) => store.ofOwner(address.toLowerCase()),
    suggest: (typed, zone = zones[0]) => suggest(parts, typed, zone),
    register: (sent) => register(parts, sent),
    changeAttributes: (name, sent) =>
      change(parts, name, sent, (message) => ({ attributes: parseAttributes(message['attributes']) ?? {} })),
    changeAddress: (name, sent) =>
      change(parts, name, sent, (message) => {
        const coinType = message['coin_type']
        if (typeof coinType !== 'number') throw new Problem(422, 'message', 'The message lacks "coin_type".')
        readChain(coinType)
        return { coinType, address: readAddress(getMessageText(message, 'address')) }
      }),
  }
}

/** Finds a name. Invalid names are not looked up. */
async function find({ store }: NameRegistryDependencies, name: string): Promise<NameRecord | undefined> {
  return /^[a-zA-Z0-9.-]+$/.test(name) ? store.find(name.toLowerCase()) : undefined
}

async function suggest(
  { zones, store }: NameRegistryDependencies,
  typed: string,
  zone: string | undefined,
): Promise<readonly { name: string; registered: boolean }[]> {
  if (zone === undefined || !zones.includes(zone)) {
    throw new Problem(400, 'zone', 'Names with this suffix cannot be registered.')
  }
  const exact = isNameLabel(typed) ? [`${typed}.${zone}`] : []
  const others = suggestLabels(typed).map((label) => `${label}.${zone}`)
  const taken = await store.taken([...exact, ...others])
  return [
    ...exact.map((name) => ({ name, registered: taken.has(name) })),
    ...others.filter((name) => !taken.has(name)).map((name) => ({ name, registered: false })),
  ].slice(0, maxSuggestions)
}

/** Registers a name. The signature is checked last, because it may need a request to a chain. */
async function register(parts: NameRegistryDependencies, sent: SignedChange): Promise<NameRecord> {
  const { zones, store, clock, mostPerHour } = parts
  const message = parseSignedMessage(sent.message)
  const name = parseName(getMessageText(message, 'name'), zones)
  const chainId = readChain(sent.coin_type)
  if ((await store.find(name)) !== undefined) throw problemOf('taken')
  assertRecent(message, clock.now())
  const attributes = parseAttributes(message['attributes'])
  const proof = readProof(sent)
  const owner = await proveOwner(parts, proof, chainId)
  const coinTypes = [...new Set([mainnetCoinType, sent.coin_type])]
  const wanted = { name, owner, address: proof.address, coinTypes, attributes, message: hashOf(proof) }
  return settle(parts, wanted, await store.register({ ...wanted, now: clock.now(), mostPerHour }))
}

async function change(
  parts: NameRegistryDependencies,
  given: string,
  sent: SignedChange,
  read: (message: Readonly<Record<string, unknown>>) => Wanted,
): Promise<NameRecord> {
  const { store, clock } = parts
  const message = parseSignedMessage(sent.message)
  const chainId = readChain(sent.coin_type)
  const name = given.toLowerCase()
  // A message that contains a name is valid for that name only.
  if (message['name'] !== undefined && message['name'] !== name) {
    throw new Problem(400, 'name', 'The message is about another name.')
  }
  if ((await find(parts, name)) === undefined) throw new Problem(400, 'name', 'This name is not registered.')
  assertRecent(message, clock.now())
  const wanted = read(message)
  const proof = readProof(sent)
  const owner = await proveOwner(parts, proof, chainId)
  const verdict = await store.change({ name, owner, message: hashOf(proof), now: clock.now(), ...wanted })
  return settle(parts, { name, owner }, verdict)
}

async function proveOwner({ signatures }: NameRegistryDependencies, proof: Proof, chainId: number): Promise<string> {
  if (!(await signatures.isSigned(proof, chainId))) {
    throw new Problem(401, 'signature', 'The address did not sign this message.')
  }
  return proof.address.toLowerCase()
}

async function settle(
  { store, changed }: NameRegistryDependencies,
  { name, owner }: { name: string; owner: string },
  verdict: NameChangeResult,
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
  const chainId = getCoinTypeChainId(coinType)
  if (chainId === undefined) throw new Problem(400, 'coin_type', 'Names are available for eip155 chains only.')
  return chainId
}

function readAddress(text: string): Address {
  if (!/^0x[0-9a-f]{40}$/i.test(text) || /^0x0{40}$/i.test(text)) {
    throw new Problem(400, 'address', 'This is not an eip155 address.')
  }
  return getAddress(text)
}

function readProof({ address, message, signature }: SignedChange): Proof {
  const isHex = /^0x(?:[0-9a-f]{2})+$/i.test(signature)
  if (!isHex) throw new Problem(401, 'signature', 'The signature is not hexadecimal.')
  // The format was just checked.
  return { address: readAddress(address), message, signature: signature as Hex }
}

/** Hashes message and signer, so that messages of different signers never collide. */
function hashOf({ address, message }: Proof): Uint8Array {
  return hexToBytes(hashMessage(`${address}\n${message}`))
}

function problemOf(verdict: Exclude<NameChangeResult, 'done'>): Problem {
  if (verdict === 'taken') return new Problem(400, 'name', 'Name is already registered')
  if (verdict === 'replayed') return new Problem(400, 'timestamp', 'This message was used before.')
  if (verdict === 'not-owner') return new Problem(401, 'address', 'This address does not own the name.')
  return new Problem(429, 'address', 'This address registered too many names in an hour.', { retryAfter: 3600 })
}
