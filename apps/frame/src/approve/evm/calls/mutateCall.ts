import {
  concat,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  maxUint160,
  maxUint256,
  pad,
  parseAbi,
  parseAbiParameters,
  size,
  slice,
  type Hex,
} from 'viem'

/** Test support: random calls, mutations of their data, and an oracle that shares no code with the wallet's decoder. */

const abi = parseAbi([
  'struct Target { address target; bytes callData; }',
  'struct TargetOption { address target; bool allowFailure; bytes callData; }',
  'struct TargetValue { address target; bool allowFailure; uint256 value; bytes callData; }',
  'struct Execution { address target; uint256 value; bytes callData; }',
  'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
  'struct PermitBatch { PermitDetails[] details; address spender; uint256 sigDeadline; }',
  'function approve(address spender, uint256 amount)',
  'function increaseAllowance(address spender, uint256 amount)',
  'function increaseApproval(address spender, uint256 amount)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'function setApprovalForAll(address operator, bool approved)',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  'function permit(address owner, PermitSingle permitSingle, bytes signature)',
  'function permit(address owner, PermitBatch permitBatch, bytes signature)',
  'function multicall(bytes[] data)',
  'function multicall(uint256 deadline, bytes[] data)',
  'function aggregate3(TargetOption[] calls)',
  'function aggregate3Value(TargetValue[] calls)',
  'function tryAggregate(bool requireSuccess, Target[] calls)',
  'function execute(bytes32 mode, bytes executionCalldata)',
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch(address[] dest, bytes[] func)',
  'function executeBatch(Execution[] calls)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  'function multiSend(bytes transactions)',
  'function execute(bytes commands, bytes[] inputs)',
  'function execute(bytes commands, bytes[] inputs, uint256 deadline)',
])
const executions = parseAbiParameters('(address target, uint256 value, bytes callData)[]')

const details = 'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }'
const inputs = {
  permit: parseAbiParameters([
    'Permit permit, bytes signature',
    'struct Permit { Details details; address spender; uint256 sigDeadline; }',
    details,
  ]),
  permits: parseAbiParameters([
    'Permit permit, bytes signature',
    'struct Permit { Details[] details; address spender; uint256 sigDeadline; }',
    details,
  ]),
  plan: parseAbiParameters('bytes commands, bytes[] inputs'),
}

export const token: Hex = `0x${'a1'.repeat(20)}`
const owner: Hex = `0x${'b2'.repeat(20)}`
export const spender: Hex = `0x${'c3'.repeat(20)}`
const other: Hex = `0x${'d4'.repeat(20)}`
const modes = { single: pad('0x00', { dir: 'right' }), batch: pad('0x01', { dir: 'right' }) } as const

/** Creates a random number generator. The same seed yields the same numbers. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => (state = (state * 48_271) % 0x7fff_ffff) % below
}
type Random = ReturnType<typeof createRandom>

const signature: Hex = `0x${'55'.repeat(65)}`
const vrs = [27, pad('0x01'), pad('0x02')] as const

/** Calls that grant an allowance: unlimited, or of five units. */
export function grantCall(kind: number, isUnlimited: boolean): Hex {
  const amount = isUnlimited ? maxUint256 : 5n
  const details = { token, amount: isUnlimited ? maxUint160 : 5n, expiration: 9, nonce: 0 }
  const limited = { ...details, amount: 5n }
  const calls = [
    () => encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] }),
    () => encodeFunctionData({ abi, functionName: 'increaseAllowance', args: [spender, amount] }),
    () => encodeFunctionData({ abi, functionName: 'increaseApproval', args: [spender, amount] }),
    () => encodeFunctionData({ abi, functionName: 'permit', args: [owner, spender, amount, 9n, ...vrs] }),
    () => encodeFunctionData({ abi, functionName: 'permit', args: [owner, spender, 0n, 9n, isUnlimited, ...vrs] }),
    () => encodeFunctionData({ abi, functionName: 'setApprovalForAll', args: [spender, isUnlimited] }),
    () => encodeFunctionData({ abi, functionName: 'approve', args: [token, spender, details.amount, 9] }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'permit',
        args: [owner, { details, spender, sigDeadline: 9n }, signature],
      }),
    () => {
      const batch = { details: [limited, details], spender, sigDeadline: 9n }
      return encodeFunctionData({ abi, functionName: 'permit', args: [owner, batch, signature] })
    },
    ...routerGrants({ details, limited }),
  ]
  return (calls[kind % calls.length] ?? (() => '0x' as const))()
}

type Details = { token: Hex; amount: bigint; expiration: number; nonce: number }

/** Plans of the Universal Router behind a command that wraps native currency, with each flag of a command. */
function routerGrants({ details: granted, limited }: Record<'details' | 'limited', Details>): readonly (() => Hex)[] {
  const terms = { spender, sigDeadline: 9n }
  const one = (): Hex => encodeAbiParameters(inputs.permit, [{ details: granted, ...terms }, signature])
  const many = (): Hex => encodeAbiParameters(inputs.permits, [{ details: [limited, granted], ...terms }, signature])
  const execute = (commands: Hex, ...last: readonly Hex[]): Hex =>
    encodeFunctionData({ abi, functionName: 'execute', args: [commands, last, 9n] })
  return [
    () => execute('0x0b0a', '0x', one()),
    () => encodeFunctionData({ abi, functionName: 'execute', args: ['0x83', [many()]] }),
    () => execute('0x0ba1', '0x', encodeAbiParameters(inputs.plan, ['0x8a', [one()]])),
  ]
}

export const grantKinds = 12
export const wrapperKinds = 12

function packMultiSend(to: Hex, data: Hex): Hex {
  return encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [0, to, 0n, BigInt(size(data)), data])
}

/** Puts a call into a batch of two calls. */
export function wrapCall(kind: number, data: Hex): Hex {
  const target = token
  const harmless = { target: other, callData: '0x12345678' } as const
  const execution = { target, value: 0n, callData: data }
  const calls: readonly (() => Hex)[] = [
    () => encodeFunctionData({ abi, functionName: 'multicall', args: [['0x12345678', data]] }),
    () => encodeFunctionData({ abi, functionName: 'multicall', args: [9n, [data]] }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'aggregate3',
        args: [
          [
            { ...harmless, allowFailure: true },
            { target, allowFailure: false, callData: data },
          ],
        ],
      }),
    () => encodeFunctionData({ abi, functionName: 'aggregate3Value', args: [[{ ...execution, allowFailure: false }]] }),
    () =>
      encodeFunctionData({ abi, functionName: 'tryAggregate', args: [true, [harmless, { target, callData: data }]] }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'execute',
        args: [modes.single, encodePacked(['address', 'uint256', 'bytes'], [target, 0n, data])],
      }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'execute',
        args: [modes.batch, encodeAbiParameters(executions, [[execution]])],
      }),
    () => encodeFunctionData({ abi, functionName: 'execute', args: [target, 0n, data] }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'executeBatch',
        args: [
          [other, target],
          ['0x', data],
        ],
      }),
    () => encodeFunctionData({ abi, functionName: 'executeBatch', args: [[execution]] }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'execTransaction',
        args: [target, 0n, data, 0, 0n, 0n, 0n, other, other, '0x'],
      }),
    () =>
      encodeFunctionData({
        abi,
        functionName: 'multiSend',
        args: [concat([packMultiSend(other, '0x'), packMultiSend(target, data)])],
      }),
  ]
  return (calls[kind % calls.length] ?? (() => data))()
}

/** Changes the letter case, the end, the padding or single bytes of call data. */
export function mutateCall(data: Hex, random: Random): Hex {
  const bytes = Buffer.from(data.slice(2), 'hex')
  const word = 4 + 32 * random(Math.max(1, Math.floor(bytes.length / 32)))
  switch (random(7)) {
    case 0:
      return `0x${Array.from(data.slice(2), (digit) => (random(2) === 0 ? digit.toUpperCase() : digit)).join('')}`
    case 1:
      return `0x${bytes.subarray(0, Math.max(0, bytes.length - 1 - random(80))).toString('hex')}`
    case 2:
      return `${data}${'ab'.repeat(1 + random(70))}`
    case 3:
      // The upper bits of a word, which an address ignores.
      bytes[Math.min(bytes.length - 1, word + random(12))] = 1 + random(255)
      return `0x${bytes.toString('hex')}`
    case 4:
      bytes[random(bytes.length)] = random(256)
      return `0x${bytes.toString('hex')}`
    case 5:
      bytes[Math.min(bytes.length - 1, word + 31)] = 32 * random(8)
      return `0x${bytes.toString('hex')}`
    default:
      return data
  }
}

/**
 * True if a contract would grant an unlimited allowance. viem decodes the data with zeros behind it, as lenient contracts
 * do. Data that a strict contract accepts decodes to the same values.
 */
export function grantsUnlimited(data: Hex): boolean {
  try {
    const { functionName, args } = decodeFunctionData({ abi, data: withZeros(data.toLowerCase() as Hex) })
    return isUnlimitedGrant(functionName, args) || innerCalls(functionName, args).some(grantsUnlimited)
  } catch {
    return false
  }
}

function withZeros(data: Hex): Hex {
  return `${data}${'00'.repeat(512)}`
}

function isUnlimitedGrant(name: string, args: readonly unknown[]): boolean {
  const isWhole = (value: unknown): boolean => typeof value === 'bigint' && value >= 2n ** 128n
  if (name === 'execute' && Array.isArray(args[1])) return planGrants(args[0] as Hex, args[1] as readonly Hex[])
  if (name === 'setApprovalForAll') return args[1] === true
  if (name === 'permit' && args.length === 8) return args[4] === true
  if (name === 'permit' && args.length === 7) return isWhole(args[2])
  if (name === 'permit')
    return [Reflect.get(Object(args[1]), 'details')].flat().some((each) => isWhole(Reflect.get(Object(each), 'amount')))
  if (name === 'approve') return isWhole(args[args.length === 4 ? 2 : 1])
  return ['increaseAllowance', 'increaseApproval'].includes(name) && isWhole(args[1])
}

/** The router reverts unless each command has its input. */
function planGrants(commands: Hex, given: readonly Hex[]): boolean {
  const types = [...Buffer.from(commands.slice(2), 'hex')].map((byte) => byte & 0x3f)
  return types.length === given.length && types.some((type, at) => commandGrants(type, given[at] ?? '0x'))
}

function commandGrants(type: number, input: Hex): boolean {
  try {
    const isWhole = ({ amount }: { amount: bigint }): boolean => amount >= 2n ** 128n
    if (type === 0x0a) return isWhole(decodeAbiParameters(inputs.permit, withZeros(input))[0].details)
    if (type === 0x03) return decodeAbiParameters(inputs.permits, withZeros(input))[0].details.some(isWhole)
    return type === 0x21 && planGrants(...decodeAbiParameters(inputs.plan, withZeros(input)))
  } catch {
    return false
  }
}

function innerCalls(name: string, args: readonly unknown[]): readonly Hex[] {
  const last = args.at(-1)
  const hexes = (values: unknown): readonly Hex[] => (Array.isArray(values) ? values : [values]) as readonly Hex[]
  const structs = (values: unknown): readonly Hex[] =>
    (values as readonly { readonly callData: Hex }[]).map(({ callData }) => callData)
  if (name === 'multicall') return hexes(last)
  if (['aggregate3', 'aggregate3Value', 'tryAggregate'].includes(name)) return structs(last)
  if (name === 'executeBatch') return args.length === 1 ? structs(last) : hexes(last)
  if (name === 'execTransaction') return hexes(args[2])
  if (name === 'multiSend') return unpackMultiSend(hexes(last)[0] ?? '0x')
  if (name !== 'execute' || Array.isArray(args[1])) return []
  if (args.length === 3) return hexes(last)
  return callsOfMode(args[0] as Hex, args[1] as Hex)
}

function callsOfMode(mode: Hex, data: Hex): readonly Hex[] {
  if (mode.startsWith('0x00')) return [slice(data, 52)]
  if (!mode.startsWith('0x01')) return []
  const [list] = decodeAbiParameters(executions, withZeros(data))
  return list.map(({ callData }) => callData)
}

function unpackMultiSend(packed: Hex): readonly Hex[] {
  if (size(packed) < 85) return []
  const length = Number(BigInt(slice(packed, 53, 85)))
  const end = Math.min(85 + length, size(packed))
  const data: Hex = end > 85 ? slice(packed, 85, end) : '0x'
  return [data, ...(end < size(packed) ? unpackMultiSend(slice(packed, end)) : [])]
}
