import { getAddress, toFunctionSelector, type AbiFunction } from 'viem'
import { isRecord } from '@latchkey/protocol'
import { isAddress, parseQuantity } from '../../approve/evm/parseQuantity.ts'
import { isKnownFunction } from '../../approve/evm/calls/readCall.ts'
import { toCaipChainId } from '../../approve/checkRequest.ts'
import { rpcErrors } from '../../chain/rpcError.ts'
import { getMember } from '../../platform/getMember.ts'

/** Maximum amount per period. */
export type Allowance = { readonly most: bigint; readonly period: number; readonly start: number }

/** Functions of one contract, and the total amount of native currency for their calls. */
export type CallPolicy = {
  readonly address: `0x${string}`
  readonly functions: readonly { readonly name: string; readonly selector: `0x${string}` }[]
  readonly most: bigint
}

/** The actions that a page may take without approval. */
export type PermissionPolicy = {
  readonly native?: Allowance
  readonly tokens: readonly (Allowance & { readonly address: `0x${string}` })[]
  readonly calls: readonly CallPolicy[]
}

/** Parsed `wallet_grantPermissions` (ERC-7715). */
export type PermissionRequest = {
  readonly chainId?: string
  readonly address?: string
  /** Seconds since the epoch. */
  readonly expiry: number
  /** Address that redeems the permission on the chain. Without it, the wallet signs within the limits. */
  readonly delegate?: `0x${string}`
  readonly bounds: PermissionPolicy
  /** The page's own values for the registry. */
  readonly written: {
    readonly signer: Typed
    readonly permissions: readonly Typed[]
    readonly policies: readonly Typed[]
  }
}

export type Typed = { readonly type: string; readonly data: unknown }

const limits = { permissions: 8, functions: 16, seconds: 365 * 86_400, period: 60 } as const
/**
 * Parses a permission request.
 *
 * @param now milliseconds since the epoch
 * @throws RpcError -32602, including for restrictions that the wallet doesn't understand. They are never ignored.
 */
export function parsePermissionRequest(params: unknown, now: number): PermissionRequest {
  const [wanted]: readonly unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(wanted)) throw rpcErrors.invalid('permissions are missing')
  const { chainId, address, permissions } = wanted
  const seconds = Math.floor(now / 1_000)
  const expiry = parseExpiry(wanted['expiry'], seconds)
  if (address !== undefined && !isAddress(address)) throw rpcErrors.invalid('address is not an address')
  if (!Array.isArray(permissions) || permissions.length === 0 || permissions.length > limits.permissions)
    throw rpcErrors.invalid('permissions are missing')
  assertNoPolicies(wanted['policies'])
  const written = permissions.map(parseTyped)
  for (const each of permissions) assertNoPolicies(getMember(each, 'policies'))
  const isChain = typeof chainId === 'string' || typeof chainId === 'number'
  const signer = parseSigner(wanted['signer'])
  return {
    ...(isChain && { chainId: toCaipChainId(chainId) }),
    ...(address !== undefined && { address }),
    expiry,
    ...(signer.type === 'account' && { delegate: signer.data.address }),
    bounds: parsePolicy(written, seconds),
    written: { signer, permissions: written, policies: [] },
  }
}

/**
 * Parses the end of a permission.
 *
 * @param now seconds since the epoch
 * @throws RpcError -32602 if it is not within a year
 */
export function parseExpiry(expiry: unknown, now: number): number {
  if (typeof expiry !== 'number' || !Number.isSafeInteger(expiry) || expiry <= now)
    throw rpcErrors.invalid('expiry must be in the future')
  if (expiry > now + limits.seconds) throw rpcErrors.invalid('expiry must be within a year')
  return expiry
}

type Signer =
  | { readonly type: 'wallet'; readonly data: Readonly<Record<string, never>> }
  | { readonly type: 'account'; readonly data: { readonly address: `0x${string}` } }

/** Either the wallet's key signs, or an address of the page redeems. Other keys could not be verified on the chain. */
function parseSigner(signer: unknown): Signer {
  const { type, data } = parseTyped(signer ?? { type: 'wallet' })
  if (type === 'account') return { type, data: { address: parseDelegate(getMember(data, 'address')) } }
  if (type !== 'wallet') throw rpcErrors.invalid(`unsupported signer type ${type.slice(0, 60)}`)
  return { type, data: {} }
}

/** The delegation manager lets every address redeem a delegation to this one. */
const anyDelegate = '0x0000000000000000000000000000000000000a11'

/** @throws RpcError -32602 for anything but the address of one redeemer */
export function parseDelegate(address: unknown): `0x${string}` {
  if (!isAddress(address) || /^0x0+$/.test(address) || isEqualAddress(address, anyDelegate))
    throw rpcErrors.invalid('the session account is not an address')
  return getAddress(address)
}

/**
 * Parses the limits of permissions.
 *
 * @param now seconds since the epoch: the default start of a period
 * @throws RpcError -32602 for types and conditions that the wallet doesn't understand
 */
export function parsePolicy(permissions: readonly Typed[], now: number): PermissionPolicy {
  const tokens: (Allowance & { address: `0x${string}` })[] = []
  const calls: CallPolicy[] = []
  let native: Allowance | undefined
  for (const { type, data } of permissions.map(toRecurringAllowance)) {
    if (type === 'native-token-recurring-allowance' && native === undefined) native = parseAllowance(data, now)
    else if (type === 'erc20-recurring-allowance') {
      const address = parseContractAddress(data)
      if (tokens.some((each) => isEqualAddress(each.address, address))) throw rpcErrors.invalid('a token appears twice')
      tokens.push({ address, ...parseAllowance(data, now) })
    } else if (type === 'contract-call') calls.push(parseCallPolicy(data))
    else throw rpcErrors.invalid(`unsupported permission type ${type.slice(0, 60)}`)
  }
  return { ...(native !== undefined && { native }), tokens, calls }
}

/** Other wallets name the same permissions and their values differently. */
function toRecurringAllowance({ type, data }: Typed): Typed {
  const name = periodicTypes[type]
  if (name === undefined) return { type, data }
  const [address, allowance] = [getMember(data, 'tokenAddress'), getMember(data, 'periodAmount')]
  const [period, start] = [getMember(data, 'periodDuration'), getMember(data, 'startTime') ?? undefined]
  return { type: name, data: { address, allowance, period, start } }
}

const periodicTypes: Readonly<Record<string, string | undefined>> = {
  'native-token-periodic': 'native-token-recurring-allowance',
  'erc20-token-periodic': 'erc20-recurring-allowance',
}

function parseAllowance(data: unknown, now: number): Allowance {
  const most = parseQuantity(getMember(data, 'allowance'), 'allowance')
  const period = getMember(data, 'period')
  const start = getMember(data, 'start') ?? now
  if (most === undefined || most === 0n) throw rpcErrors.invalid('allowance must be above zero')
  if (typeof period !== 'number' || !Number.isSafeInteger(period) || period < limits.period)
    throw rpcErrors.invalid('period must be at least a minute')
  if (typeof start !== 'number' || !Number.isSafeInteger(start) || start < 0)
    throw rpcErrors.invalid('start is not a time')
  return { most, period, start }
}

function parseCallPolicy(data: unknown): CallPolicy {
  const functions = getMember(data, 'functions')
  if (!Array.isArray(functions) || functions.length === 0 || functions.length > limits.functions)
    throw rpcErrors.invalid('a contract call has no functions')
  const abi = parseFunctions(getMember(data, 'abi'))
  const named = functions.map((each: unknown) => parseFunction(each, abi))
  const most = functions
    .map((each: unknown) => parseQuantity(getMember(each, 'valueLimit'), 'valueLimit') ?? 0n)
    .reduce((sum, each) => sum + each, 0n)
  return { address: parseContractAddress(data), functions: named, most }
}

function parseFunction(value: unknown, abi: readonly AbiFunction[]): CallPolicy['functions'][number] {
  const name = getMember(value, 'functionName')
  const args = getMember(value, 'args')
  if (typeof name !== 'string') throw rpcErrors.invalid('a function has no name')
  if (args !== undefined && !(Array.isArray(args) && args.length === 0))
    throw rpcErrors.invalid('conditions on arguments are not supported')
  const found = abi.filter((each) => each.name === name)
  const [only] = found
  if (only === undefined || found.length > 1) throw rpcErrors.invalid('a function is missing in the ABI or ambiguous')
  const selector = selectorOf(only)
  if (isKnownFunction(selector)) throw rpcErrors.invalid('transferring tokens needs a token allowance')
  return { name: name.slice(0, 60), selector }
}

function selectorOf(item: AbiFunction): `0x${string}` {
  try {
    return toFunctionSelector(item)
  } catch (cause) {
    throw Object.assign(rpcErrors.invalid('the ABI is malformed'), { cause })
  }
}

/** Parses an ABI, as JSON or as an object. Only its functions count. */
function parseFunctions(value: unknown): readonly AbiFunction[] {
  const items = typeof value === 'string' ? parseAbiJson(value) : value
  if (!Array.isArray(items) || items.length > 500) throw rpcErrors.invalid('a contract call has no ABI')
  return items.filter((item): item is AbiFunction => {
    const isFunction = getMember(item, 'type') === 'function' && typeof getMember(item, 'name') === 'string'
    return isFunction && Array.isArray(getMember(item, 'inputs'))
  })
}

function parseAbiJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseContractAddress(data: unknown): `0x${string}` {
  const address = getMember(data, 'address')
  if (!isAddress(address)) throw rpcErrors.invalid('address is not a contract address')
  return getAddress(address)
}

/** @throws RpcError -32602 */
export function parseTyped(value: unknown): Typed {
  const type = getMember(value, 'type')
  if (typeof type !== 'string' || type === '' || type.length > 128) throw rpcErrors.invalid('a permission has no type')
  return { type, data: getMember(value, 'data') ?? {} }
}

function assertNoPolicies(policies: unknown): void {
  if (policies !== undefined && !(Array.isArray(policies) && policies.length === 0))
    throw rpcErrors.invalid('policies are not supported')
}

export function isEqualAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
