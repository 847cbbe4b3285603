import { createCalldata, toAddress, type Calldata, type CalldataList } from './calldata.ts'
import type { CallOutcome, InnerCall, KnownFunction } from './callEffects.ts'

type ReadCalls = (args: Calldata, to: `0x${string}`) => CallOutcome

/** Calls of one batch. More of them are unreadable on a screen. */
const mostCalls = 32

/** The contract calls itself as the sender. */
const selfCallsAt =
  (index: number): ReadCalls =>
  (args, to) =>
    outcomeOf(args.bytesList(index, mostCalls), (data) => ({ to, value: 0n, data }))

/** Structs of a target, an amount and data. */
const structsAt =
  (index: number, data: number, value?: number): ReadCalls =>
  (args, self) =>
    outcomeOf(args.structs(index, mostCalls), (item) => structCall(item, self, { data, value }))

/** ERC-7821 writes the account itself as the zero address. */
function structCall(item: Calldata, self: `0x${string}`, words: { data: number; value?: number }): InnerCall {
  const target = item.address(0)
  return {
    to: /^0x0+$/.test(target) ? self : target,
    value: words.value === undefined ? 0n : item.number(words.value),
    data: item.bytes(words.data),
  }
}

/** Arrays of targets, amounts and data. Contracts differ in which array they count. */
const arraysAt =
  (data: number, values?: number): ReadCalls =>
  (args, self) => {
    const targets = args.list(0, 1, mostCalls)
    const amounts = values === undefined ? undefined : args.list(values, 1, mostCalls)
    return outcomeOf(args.bytesList(data, mostCalls), (bytes, at) => ({
      to: targets.items[at]?.address(0) ?? self,
      value: amounts?.items[at]?.number(0) ?? 0n,
      data: bytes,
    }))
  }

/** One call with a target, an amount, data, and in some accounts the operation of Safe. */
const singleCall =
  (operation?: number): ReadCalls =>
  (args) => {
    const call = { to: args.address(0), value: args.number(1), data: args.bytes(2) }
    return operation === undefined ? { effects: [], calls: [call] } : safeCall(call, args.number(operation))
  }

/** The `MultiSend` contracts of Safe 1.3.0 and 1.4.1. Their code only makes the listed calls. */
const multiSends: readonly string[] = [
  '0xa238cbeb142c10ef7ad8442c6d1f9e89e07e7761',
  '0x998739bfdaadde7c933b942a68053933098f9eda',
  '0x40a2accbd92bca938b02010e17a5b8929b49130d',
  '0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b',
  '0x38869bf66a61cf6bdb996a6ae40d5853fd43b526',
  '0x9641d764fc13c8b624c04430c7356c1c7c8102e2',
]

/** True if the target's code runs as the account: operation 0 of Safe calls, anything else delegates. */
export function isDelegatedCall(to: string, operation: bigint): boolean {
  return operation !== 0n && !multiSends.includes(to.toLowerCase())
}

function safeCall(call: InnerCall, operation: bigint): CallOutcome {
  return { effects: isDelegatedCall(call.to, operation) ? [{ kind: 'delegates' }] : [], calls: [call] }
}

/** ERC-7579: the first byte of the mode selects the form of the data. */
const readModeCalls: ReadCalls = (args, self) => {
  const mode = args.number(0)
  const data = args.bytes(1)
  const callType = mode >> 248n
  if (callType === 0x01n) return isNestedBatch(mode) ? readBatches(data, self) : readExecutions(data, self)
  if (callType === 0xffn) return { effects: [{ kind: 'delegates' }] }
  if (callType !== 0n) return { effects: [{ kind: 'unreadable' }] }
  const words = createCalldata(data, -12)
  return {
    effects: [],
    calls: [{ to: words.address(0), value: createCalldata(data, 20).number(0), data: data.subarray(52) }],
  }
}

/** ERC-7821: mode `0x01000000000078210002…` has batches of batches. */
function isNestedBatch(mode: bigint): boolean {
  return ((mode >> 176n) & 0xffff_ffffn) === 0x7821_0002n
}

const readExecutions = (data: Uint8Array, self: `0x${string}`): CallOutcome =>
  structsAt(0, 2, 1)(createCalldata(data), self)

function readBatches(data: Uint8Array, self: `0x${string}`): CallOutcome {
  const { items, isTruncated } = createCalldata(data).bytesList(0, mostCalls)
  const read = items.map((item) => readExecutions(item, self))
  const effects = read.flatMap((each) => each.effects)
  return {
    effects: isTruncated ? [...effects, { kind: 'unreadable' }] : effects,
    calls: read.flatMap((each) => each.calls ?? []),
  }
}

/** Safe: packed operation (1 byte), target (20), amount (32), length (32) and data. */
const readMultiSend: ReadCalls = (args) => {
  const data = args.bytes(0)
  const found: CallOutcome[] = []
  let at = 0
  while (at < data.length && found.length < mostCalls) {
    const value = createCalldata(data, at + 21).number(0)
    const length = createCalldata(data, at + 53).number(0)
    const end = length < BigInt(data.length) ? at + 85 + Number(length) : data.length
    const call = { to: toAddress(createCalldata(data, at - 11).number(0)), value, data: data.subarray(at + 85, end) }
    found.push(safeCall(call, BigInt(data[at] ?? 0)))
    at = end
  }
  const effects = found.flatMap((each) => each.effects)
  return {
    effects: at < data.length ? [...effects, { kind: 'unreadable' }] : effects,
    calls: found.flatMap((each) => each.calls ?? []),
  }
}

const readDelegation: ReadCalls = () => ({ effects: [{ kind: 'delegates' }] })
const delegation = '(address,address,bytes32,(address,bytes,bytes)[],uint256,bytes)'

const safeArguments = 'address,uint256,bytes,uint8'

/**
 * Functions that make further calls, by selector: multicalls, Multicall3, ERC-7579 and ERC-7821, the accounts of
 * ERC-4337, Safe, and meta-transactions.
 */
export const batchFunctions: Readonly<Record<string, KnownFunction>> = {
  '0xac9650d8': batch('multicall(bytes[])', selfCallsAt(0)),
  '0x5ae401dc': batch('multicall(uint256,bytes[])', selfCallsAt(1)),
  '0x1f0464d1': batch('multicall(bytes32,bytes[])', selfCallsAt(1)),
  '0x2c2abd1e': batch('executeWithoutChainIdValidation(bytes[])', selfCallsAt(0)),
  '0x0c53c51c': batch('executeMetaTransaction(address,bytes,bytes32,bytes32,uint8)', (args, to) => ({
    effects: [],
    calls: [{ to, value: 0n, data: args.bytes(1) }],
  })),
  '0x252dba42': batch('aggregate((address,bytes)[])', structsAt(0, 1)),
  '0xc3077fa9': batch('blockAndAggregate((address,bytes)[])', structsAt(0, 1)),
  '0xbce38bd7': batch('tryAggregate(bool,(address,bytes)[])', structsAt(1, 1)),
  '0x399542e9': batch('tryBlockAndAggregate(bool,(address,bytes)[])', structsAt(1, 1)),
  '0x82ad56cb': batch('aggregate3((address,bool,bytes)[])', structsAt(0, 2)),
  '0x174dea71': batch('aggregate3Value((address,bool,uint256,bytes)[])', structsAt(0, 3, 2)),
  '0xe9ae5c53': batch('execute(bytes32,bytes)', readModeCalls),
  '0xd691c964': batch('executeFromExecutor(bytes32,bytes)', readModeCalls),
  '0xb61d27f6': batch('execute(address,uint256,bytes)', singleCall()),
  '0x51945447': batch(`execute(${safeArguments})`, singleCall(3)),
  '0x18dfb3c7': batch('executeBatch(address[],bytes[])', arraysAt(1)),
  '0x47e1da2a': batch('executeBatch(address[],uint256[],bytes[])', arraysAt(2, 1)),
  '0x34fcd5be': batch('executeBatch((address,uint256,bytes)[])', structsAt(0, 2, 1)),
  '0x7bb37428': batch(`executeUserOp(${safeArguments})`, singleCall(3)),
  '0x541d63c8': batch(`executeUserOpWithErrorString(${safeArguments})`, singleCall(3)),
  '0x6a761202': batch(`execTransaction(${safeArguments},uint256,uint256,uint256,address,address,bytes)`, singleCall(3)),
  '0x468721a7': batch(`execTransactionFromModule(${safeArguments})`, singleCall(3)),
  '0x5229073f': batch(`execTransactionFromModuleReturnData(${safeArguments})`, singleCall(3)),
  // Without a delegation, the manager makes any call as its caller (ERC-7710).
  '0xcef6d209': batch('redeemDelegations(bytes[],bytes32[],bytes[])', readDelegation),
  '0x3ed01015': batch(`enableDelegation(${delegation})`, readDelegation),
  '0x8d80ff0a': batch('multiSend(bytes)', readMultiSend),
}

function batch(signature: string, read: ReadCalls): KnownFunction {
  return { signature, read }
}

function outcomeOf<item>(list: CalldataList<item>, toCall: (item: item, at: number) => InnerCall): CallOutcome {
  return { effects: list.isTruncated ? [{ kind: 'unreadable' }] : [], calls: list.items.map(toCall) }
}
