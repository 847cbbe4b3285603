import { getAddress, hashMessage, hexToBytes, type Address, type Hex } from 'viem'
import type { Clock } from '../kit/runtime/clock.ts'
import { Problem } from '../kit/http/problem.ts'
import { getCoinTypeChainId, mainnetCoinType } from './coinType.ts'
import { isNameLabel, parseName } from './parseName.ts'
import type { SignatureVerifier } from './signatureVerifier.ts'
import { assertRecent, parseAttributes, parseSignedMessage, getMessageText } from './signedMessage.ts'
import type { NameOwner, NameRecord, NameStore, NameChangeResult } from './nameStore.ts'
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
  /** The names that are offered to an address. */
  offeredTo(address: string): Promise<readonly NameRecord[]>
  /** Starts a new term. Also renews a name that expired a short time ago. */
  renew(name: string, sent: SignedChange): Promise<NameRecord>
  /** Offers the name to another address, which has to accept it. */
  transfer(name: string, sent: SignedChange): Promise<NameRecord>
  accept(name: string, sent: SignedChange): Promise<NameRecord>
  /** Gives the name back. */
  release(name: string, sent: SignedChange): Promise<void>
}

export type NameRegistryDependencies = {
  zones: readonly string[]
  store: NameStore
  signatures: SignatureVerifier
  clock: Clock
  /** Maximum number of names that an address registers in an hour. */
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
    ofOwner: (address) => store.ofOwner(address.toLowerCase(), parts.clock.now()),
    offeredTo: (address) => store.offeredTo(address.toLowerCase(), parts.clock.now()),
    suggest: (typed, zone = zones[0]) => suggest(parts, typed, zone),
    register: (sent) => registerName(parts, sent),
    changeAttributes: (name, sent) =>
      changeName(parts, name, sent, undefined, (message) => ({
        attributes: parseAttributes(message['attributes']) ?? {},
      })),
    changeAddress: (name, sent) =>
      changeName(parts, name, sent, undefined, (message) => ({
        coinType: readCoinType(message),
        address: readAddress(getMessageText(message, 'address')),
      })),
    ...createTransitions(parts),
  }
}

/** The actions on a whole name. The message names the action, so that it can't be used for another one. */
function createTransitions(
  parts: NameRegistryDependencies,
): Pick<NameRegistry, 'renew' | 'transfer' | 'accept' | 'release'> {
  return {
    renew: (name, sent) => changeName(parts, name, sent, 'renew', () => ({ action: 'renew' })),
    transfer: (name, sent) =>
      changeName(parts, name, sent, 'transfer', (message) => ({
        action: 'transfer',
        to: readAddress(getMessageText(message, 'to')).toLowerCase(),
        toCoinType: readCoinType(message),
      })),
    accept: (name, sent) =>
      changeName(parts, name, sent, 'accept', (_message, owner) => ({
        action: 'accept',
        address: readAddress(sent.address),
        coinTypes: coinTypesOf(owner),
      })),
    release: async (name, sent) => void (await changeName(parts, name, sent, 'release', () => ({ action: 'release' }))),
  }
}

/** Finds a name. Invalid names are not looked up. */
async function find({ store, clock }: NameRegistryDependencies, name: string): Promise<NameRecord | undefined> {
  return /^[a-zA-Z0-9.-]+$/.test(name) ? store.find(name.toLowerCase(), clock.now()) : undefined
}

async function suggest(
  { zones, store, clock }: NameRegistryDependencies,
  typed: string,
  zone: string | undefined,
): Promise<readonly { name: string; registered: boolean }[]> {
  if (zone === undefined || !zones.includes(zone)) {
    throw new Problem(400, 'zone', 'Names with this suffix cannot be registered.')
  }
  const exact = isNameLabel(typed) ? [`${typed}.${zone}`] : []
  const others = suggestLabels(typed).map((label) => `${label}.${zone}`)
  const taken = await store.taken([...exact, ...others], clock.now())
  return [
    ...exact.map((name) => ({ name, registered: taken.has(name) })),
    ...others.filter((name) => !taken.has(name)).map((name) => ({ name, registered: false })),
  ].slice(0, maxSuggestions)
}

/** Registers a name. The signature is checked last, because it may need a request to a chain. */
async function registerName(parts: NameRegistryDependencies, sent: SignedChange): Promise<NameRecord> {
  const { zones, store, clock, mostPerHour } = parts
  const message = parseSignedMessage(sent.message)
  const name = parseName(getMessageText(message, 'name'), zones)
  readChain(sent.coin_type)
  if ((await store.find(name, clock.now())) !== undefined) throw toNameProblem('taken')
  assertAction(message, undefined)
  assertRecent(message, clock.now())
  const attributes = parseAttributes(message['attributes'])
  const proof = readProof(sent)
  const owner = await proveOwner(parts, proof, sent.coin_type)
  const wanted = {
    name,
    owner,
    address: proof.address,
    coinTypes: coinTypesOf(owner),
    attributes,
    message: hashOf(proof),
  }
  return settle(parts, wanted, await store.register({ ...wanted, now: clock.now(), mostPerHour }))
}

async function changeName(
  parts: NameRegistryDependencies,
  given: string,
  sent: SignedChange,
  action: NameAction | undefined,
  read: (message: Readonly<Record<string, unknown>>, owner: NameOwner) => NameChange,
): Promise<NameRecord> {
  const { store, clock } = parts
  const message = parseSignedMessage(sent.message)
  readChain(sent.coin_type)
  const name = given.toLowerCase()
  assertAction(message, action)
  // A message that contains a name is valid for that name only. A message with an action has to contain one.
  const about = action === undefined ? (message['name'] ?? name) : getMessageText(message, 'name')
  if (about !== name) throw new Problem(400, 'name', 'The message is about another name.')
  const before = await find(parts, name)
  if (before === undefined && action !== 'renew') {
    throw new Problem(400, 'name', 'This name is not registered.')
  }
  assertRecent(message, clock.now())
  const proof = readProof(sent)
  const claimed = { address: proof.address.toLowerCase(), signer: 'key', coinType: sent.coin_type } as const
  // Reports an invalid message before the signature, which may need a request to a chain.
  read(message, claimed)
  const owner = await proveOwner(parts, proof, sent.coin_type)
  const wanted = { name, owner, message: hashOf(proof), now: clock.now(), ...read(message, owner) }
  const record = await settle(parts, wanted, await store.change(wanted), before)
  if (before !== undefined && before.owner !== owner.address) parts.changed(before.owner)
  return record
}

type NameAction = 'renew' | 'transfer' | 'accept' | 'release'

/** A message for one action must not have the effect of another one. */
function assertAction(message: Readonly<Record<string, unknown>>, action: NameAction | undefined): void {
  if (message['action'] !== action) throw new Problem(400, 'message', 'The message is about another action.')
}

async function proveOwner(
  { signatures }: NameRegistryDependencies,
  proof: Proof,
  coinType: number,
): Promise<NameOwner> {
  const signer = await signatures.findSigner(proof, readChain(coinType))
  if (signer === undefined) throw new Problem(401, 'signature', 'The address did not sign this message.')
  return { address: proof.address.toLowerCase(), signer, coinType }
}

/**
 * The records of a new name. A contract gets none for mainnet, which clients use for every chain without a record: on
 * other chains, another user may own the contract at its address.
 */
function coinTypesOf({ signer, coinType }: NameOwner): readonly number[] {
  return signer === 'key' ? [...new Set([mainnetCoinType, coinType])] : [coinType]
}

/** Returns the name after a change. A released name no longer has a record, so the one before is returned. */
async function settle(
  { store, changed, clock }: NameRegistryDependencies,
  { name, owner }: { name: string; owner: NameOwner },
  verdict: NameChangeResult,
  before?: NameRecord,
): Promise<NameRecord> {
  if (verdict !== 'done') throw toNameProblem(verdict)
  changed(owner.address)
  const record = (await store.find(name, clock.now())) ?? before
  if (record === undefined) throw new Error('A name is gone right after it was written.')
  return record
}

type NameChange =
  | { attributes: Readonly<Record<string, string>> }
  | { coinType: number; address: string }
  | { action: 'renew' }
  | { action: 'release' }
  | { action: 'transfer'; to: string; toCoinType: number }
  | { action: 'accept'; address: string; coinTypes: readonly number[] }
type Proof = { address: Address; message: string; signature: Hex }

function readChain(coinType: number): number {
  const chainId = getCoinTypeChainId(coinType)
  if (chainId === undefined) throw new Problem(400, 'coin_type', 'Names are available for eip155 chains only.')
  return chainId
}

function readCoinType(message: Readonly<Record<string, unknown>>): number {
  const coinType = message['coin_type']
  if (typeof coinType !== 'number') throw new Problem(422, 'message', 'The message lacks "coin_type".')
  readChain(coinType)
  return coinType
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

function toNameProblem(verdict: Exclude<NameChangeResult, 'done'>): Problem {
  if (verdict === 'taken') return new Problem(400, 'name', 'Name is already registered')
  if (verdict === 'reserved') {
    return new Problem(400, 'name', 'This name was released a short time ago. Only its former owner can register it.')
  }
  if (verdict === 'expired') return new Problem(400, 'name', 'This name has expired. Renew it first.')
  if (verdict === 'not-offered') return new Problem(401, 'address', 'This name is not offered to the address.')
  if (verdict === 'replayed') return new Problem(400, 'timestamp', 'This message was used before.')
  if (verdict === 'not-owner') return new Problem(401, 'address', 'This address does not own the name.')
  if (verdict === 'other-chain') {
    return new Problem(
      401,
      'address',
      'The contract owns this name on another chain. Sign on the chain of registration.',
    )
  }
  return new Problem(429, 'address', 'This address registered too many names in an hour.', { retryAfter: 3600 })
}
