import { getDynamicBuilder, getLookupFn, type LookupEntry, type MetadataLookup } from '@polkadot-api/metadata-builders'
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

/**
 * Decodes the metadata of a runtime (versions 14 to 16).
 *
 * @throws if the metadata is invalid, or has no transfers or transactions of version 4
 */
export function decodeRuntime(metadata: Uint8Array): Runtime {
  const unified = unifyMetadata(decAnyMetadata(metadata))
  const lookup = getLookupFn(unified)
  const builder = getDynamicBuilder(lookup)
  if (!unified.extrinsic.version.includes(extrinsicVersion))
    throw new Error('The runtime has no extrinsics of version 4.')
  const readConstant = (pallet: string, name: string): unknown => {
    const constants = unified.pallets.find((each) => each.name === pallet)?.constants
    const encoded = constants?.find((each) => each.name === name)?.value
    return encoded === undefined ? undefined : builder.buildConstant(pallet, name).dec(encoded)
  }
  const existentialDeposit = readConstant('Balances', 'ExistentialDeposit')
  const blockHashCount = readConstant('System', 'BlockHashCount')
  if (typeof existentialDeposit !== 'bigint' || typeof blockHashCount !== 'number')
    throw new Error('The runtime has no balances.')
  const transfer = builder.buildCall('Balances', 'transfer_keep_alive')
  const events = builder.buildStorage('System', 'Events').value
  return {
    extensions: listExtensions(lookup),
    existentialDeposit,
    blockHashCount,
    encodeTransfer(receiver, amount) {
      const dest = formatSs58Address(receiver, genericFormat)
      const form = getReceiverForm(lookup)
      const value = form === 'id' ? { type: 'Id', value: dest } : dest
      return Uint8Array.of(...transfer.location, ...transfer.codec.enc({ dest: value, value: amount }))
    },
    decodeEvents: (stored) => parseEvents(events.dec(stored)),
    describeError: (error) => describeDispatchError(lookup, error),
  }
}

/** Returns how receivers are written: as an account, or as a variant of `MultiAddress`. */
function getReceiverForm(lookup: MetadataLookup): 'id' | 'account' {
  const calls = lookup.metadata.pallets.find(({ name }) => name === 'Balances')?.calls
  const entry = calls === undefined ? undefined : lookup(calls.type)
  const type = getField(entry, 'value', 'transfer_keep_alive', 'value', 'dest', 'type')
  return type === 'enum' ? 'id' : 'account'
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

function describeDispatchError(lookup: MetadataLookup, error: unknown): string {
  const [type, value] = [getField(error, 'type'), getField(error, 'value')]
  if (type !== 'Module') {
    const inner = getField(value, 'type')
    return inner === undefined ? String(type) : `${String(type)}.${String(inner)}`
  }
  const pallet = lookup.metadata.pallets.find(({ index }) => index === getField(value, 'index'))
  const entry = pallet?.errors === undefined ? undefined : lookup(pallet.errors.type)
  const variants = Object.entries(Object(getField(entry, 'value')))
  const number = readErrorNumber(getField(value, 'error'))
  const [name = `error ${String(number)}`] = variants.find(([, variant]) => getField(variant, 'idx') === number) ?? []
  return `${pallet?.name ?? 'Unknown pallet'}.${name}`
}

/** The first of the four bytes of an error is its number. */
function readErrorNumber(error: unknown): number | undefined {
  if (typeof error === 'number') return error
  return typeof error === 'string' ? Number.parseInt(error.slice(2, 4), 16) : undefined
}
