import {
  getLookupCodecBuilder,
  getLookupFn,
  type LookupEntry,
  type MetadataLookup,
} from '@polkadot-api/metadata-builders'
import { decAnyMetadata, unifyMetadata } from '@polkadot-api/substrate-bindings'
import { getField } from '@latchkey/protocol'
import { formatSs58Address } from '../address/ss58Address.ts'
import { genericFormat } from '../chain/polkadotNetworks.ts'

/** A signed extension of transactions: data that is part of each transaction or of what is signed. */
export type SignedExtension = {
  readonly name: string
  /** True if it adds no bytes. */
  readonly isEmpty: boolean
}

/** The event of a transaction in a block. */
export type ExtrinsicEvent = {
  /** The position of the transaction in its block. */
  readonly index: number
  /** The pallet and the name: `System.ExtrinsicFailed`. */
  readonly name: string
  readonly value: unknown
}

/** A version of a chain's runtime, as its metadata describes it. */
export type Runtime = {
  readonly extensions: readonly SignedExtension[]
  /** The smallest balance of an account, in base units. */
  readonly existentialDeposit: bigint
  /** The number of blocks whose hashes the chain remembers. */
  readonly blockHashCount: number
  /** Encodes a call of `Balances.transfer_keep_alive`. */
  encodeTransfer(receiver: Uint8Array, amount: bigint): Uint8Array
  /** Decodes the stored events of a block. Throws if they don't have the form that the metadata describes. */
  decodeEvents(stored: string): readonly ExtrinsicEvent[]
  /** Names a dispatch error: `Balances.InsufficientBalance`, `Token.FundsUnavailable`. */
  describeError(error: unknown): string
}

/** The version of extrinsics that all wallets sign. */
const extrinsicVersion = 4

/** The call that pays and never closes the sender's account. */
const transferCall = 'transfer_keep_alive'

/**
 * Decodes the metadata of a runtime (versions 14 to 16).
 *
 * @throws if the metadata is invalid, or has no transfers or transactions of version 4
 */
export function decodeRuntime(metadata: Uint8Array): Runtime {
  const unified = unifyMetadata(decAnyMetadata(metadata))
  const lookup = getLookupFn(unified)
  const codecOf = getLookupCodecBuilder(lookup)
  const [balances, system] = ['Balances', 'System'].map((name) => unified.pallets.find((each) => each.name === name))
  const events = system?.storage?.items.find(({ name }) => name === 'Events')?.type
  if (!unified.extrinsic.version.includes(extrinsicVersion) || balances?.calls === undefined || events?.tag !== 'plain')
    throw new Error('The runtime has no transfers that wallets sign.')
  const readConstant = (pallet: typeof system, constant: string): unknown => {
    const found = pallet?.constants.find(({ name }) => name === constant)
    return found && codecOf(found.type).dec(found.value)
  }
  const existentialDeposit = readConstant(balances, 'ExistentialDeposit')
  const blockHashCount = readConstant(system, 'BlockHashCount')
  if (typeof existentialDeposit !== 'bigint' || typeof blockHashCount !== 'number')
    throw new Error('The runtime has no balances.')
  const { index, calls } = balances
  const usesVariants = getField(lookup(calls.type), 'value', transferCall, 'value', 'dest', 'type') === 'enum'
  return {
    extensions: listExtensions(lookup),
    existentialDeposit,
    blockHashCount,
    encodeTransfer(receiver, amount) {
      const address = formatSs58Address(receiver, genericFormat)
      const dest = usesVariants ? { type: 'Id', value: address } : address
      const call = { type: transferCall, value: { dest, value: amount } }
      return Uint8Array.of(index, ...codecOf(calls.type).enc(call))
    },
    decodeEvents: (stored) => parseEvents(codecOf(events.value).dec(stored)),
    describeError: describeDispatchError,
  }
}

function listExtensions(lookup: MetadataLookup): readonly SignedExtension[] {
  const [extensions = []] = Object.values(lookup.metadata.extrinsic.signedExtensions)
  return extensions.map(({ identifier, type, additionalSigned }) => ({
    name: identifier,
    isEmpty: isVoid(lookup(type)) && isVoid(lookup(additionalSigned)),
  }))
}

function isVoid(entry: LookupEntry): boolean {
  if (entry.type === 'void') return true
  return (entry.type === 'struct' || entry.type === 'tuple') && Object.values(entry.value).every(isVoid)
}

/** Takes the events of transactions from the decoded events of a block. */
function parseEvents(records: unknown): readonly ExtrinsicEvent[] {
  return (Array.isArray(records) ? records : []).flatMap((record: unknown): readonly ExtrinsicEvent[] => {
    const index = getField(record, 'phase', 'value')
    if (getField(record, 'phase', 'type') !== 'ApplyExtrinsic' || typeof index !== 'number') return []
    const event = getField(record, 'event')
    const name = `${String(getField(event, 'type'))}.${String(getField(event, 'value', 'type'))}`
    return [{ index, name, value: getField(event, 'value', 'value') }]
  })
}

/** Errors of pallets are decoded as a variant of the pallet. */
function describeDispatchError(error: unknown): string {
  const [type, value] = [getField(error, 'type'), getField(error, 'value')]
  if (type === 'Module') return describeDispatchError(value)
  const inner = getField(value, 'type')
  return inner === undefined ? String(type) : `${String(type)}.${String(inner)}`
}
