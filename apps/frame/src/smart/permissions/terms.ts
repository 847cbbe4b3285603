import { toFunctionSelector, type AbiFunction } from 'viem'
import { isAddress, read, readQuantity } from '../../approve/evm/hex.ts'
import { readChainId } from '../../approve/asked.ts'
import { refusals } from '../../chain/rpcError.ts'
import { isRecord } from '../../services/ask.ts'

/** How much may go within each period. */
export type Allowance = { readonly most: bigint; readonly period: number; readonly start: number }

/** Functions of one contract, and how much of the native currency may go with them in all. */
export type CallTerms = {
  readonly address: `0x${string}`
  readonly functions: readonly { readonly name: string; readonly selector: `0x${string}` }[]
  readonly most: bigint
}

/** What a page may do without asking. */
export type Bounds = {
  readonly native?: Allowance
  readonly tokens: readonly (Allowance & { readonly address: `0x${string}` })[]
  readonly calls: readonly CallTerms[]
}

/** `wallet_grantPermissions` (ERC-7715), read. */
export type Terms = {
  readonly chainId?: string
  readonly address?: string
  /** Seconds since 1970. */
  readonly expiry: number
  readonly bounds: Bounds
  /** As the page wrote them, for the list of what was granted. */
  readonly written: {
    readonly signer: Typed
    readonly permissions: readonly Typed[]
    readonly policies: readonly Typed[]
  }
}

export type Typed = { readonly type: string; readonly data: unknown }

const limits = { permissions: 8, functions: 16, seconds: 365 * 86_400, period: 60 } as const
/** What hands tokens over, whoever calls it: only an allowance with an amount bounds it. */
const handsOver: readonly string[] = [
  '0xa9059cbb',
  '0x23b872dd',
  '0x095ea7b3',
  '0x39509351',
  '0xd505accf',
  '0xa22cb465',
  '0x42842e0e',
  '0xb88d4fde',
  '0xf242432a',
  '0x2eb2c2d6',
]

/**
 * Reads what a page wants to be allowed.
 *
 * @param now milliseconds since the epoch
 * @throws RpcError -32602, also for whatever would bound it and is not understood: it is never left out
 */
export function readTerms(params: unknown, now: number): Terms {
  const [wanted]: readonly unknown[] = Array.isArray(params) ? params : []
  if (!isRecord(wanted)) throw refusals.invalid('no permissions')
  const { chainId, address, expiry, permissions } = wanted
  const seconds = Math.floor(now / 1_000)
  if (typeof expiry !== 'number' || !Number.isSafeInteger(expiry) || expiry <= seconds)
    throw refusals.invalid('expiry has to be in the future')
  if (expiry > seconds + limits.seconds) throw refusals.invalid('a permission lasts a year at most')
  if (address !== undefined && !isAddress(address)) throw refusals.invalid('address is no account')
  if (!Array.isArray(permissions) || permissions.length === 0 || permissions.length > limits.permissions)
    throw refusals.invalid('no permissions')
  mustBeEmpty(wanted['policies'])
  const written = permissions.map(readTyped)
  for (const each of permissions) mustBeEmpty(read(each, 'policies'))
  const isChain = typeof chainId === 'string' || typeof chainId === 'number'
  return {
    ...(isChain && { chainId: readChainId(chainId) }),
    ...(address !== undefined && { address }),
    expiry,
    bounds: boundsOf(written, seconds),
    written: {
      signer: readTyped(wanted['signer'] ?? { type: 'wallet', data: {} }),
      permissions: written,
      policies: [],
    },
  }
}

function boundsOf(permissions: readonly Typed[], now: number): Bounds {
  const tokens: (Allowance & { address: `0x${string}` })[] = []
  const calls: CallTerms[] = []
  let native: Allowance | undefined
  for (const { type, data } of permissions) {
    if (type === 'native-token-recurring-allowance' && native === undefined) native = allowanceOf(data, now)
    else if (type === 'erc20-recurring-allowance') {
      const address = addressOf(data)
      if (tokens.some((each) => isSame(each.address, address))) throw refusals.invalid('a token is named twice')
      tokens.push({ address, ...allowanceOf(data, now) })
    } else if (type === 'contract-call') calls.push(callOf(data))
    else throw refusals.invalid(`permissions of the kind ${type.slice(0, 60)} are not understood`)
  }
  return { ...(native !== undefined && { native }), tokens, calls }
}

function allowanceOf(data: unknown, now: number): Allowance {
  const most = readQuantity(read(data, 'allowance'), 'allowance')
  const period = read(data, 'period')
  const start = read(data, 'start') ?? now
  if (most === undefined || most === 0n) throw refusals.invalid('allowance is none')
  if (typeof period !== 'number' || !Number.isSafeInteger(period) || period < limits.period)
    throw refusals.invalid('a period has a minute at least')
  if (typeof start !== 'number' || !Number.isSafeInteger(start) || start < 0) throw refusals.invalid('start is no time')
  return { most, period, start }
}

function callOf(data: unknown): CallTerms {
  const functions = read(data, 'functions')
  if (!Array.isArray(functions) || functions.length === 0 || functions.length > limits.functions)
    throw refusals.invalid('a contract is named without its functions')
  const abi = readAbi(read(data, 'abi'))
  const named = functions.map((each: unknown) => functionOf(each, abi))
  const most = functions
    .map((each: unknown) => readQuantity(read(each, 'valueLimit'), 'valueLimit') ?? 0n)
    .reduce((sum, each) => sum + each, 0n)
  return { address: addressOf(data), functions: named, most }
}

function functionOf(value: unknown, abi: readonly AbiFunction[]): CallTerms['functions'][number] {
  const name = read(value, 'functionName')
  const args = read(value, 'args')
  if (typeof name !== 'string') throw refusals.invalid('a function has no name')
  if (args !== undefined && !(Array.isArray(args) && args.length === 0))
    throw refusals.invalid('bounds of arguments are not understood')
  const found = abi.filter((each) => each.name === name)
  const [only] = found
  if (only === undefined || found.length > 1)
    throw refusals.invalid('a function is not in the interface, or more than once')
  const selector = selectorOf(only)
  if (handsOver.includes(selector)) throw refusals.invalid('moving tokens takes an allowance of the token')
  return { name: name.slice(0, 60), selector }
}

function selectorOf(item: AbiFunction): `0x${string}` {
  try {
    return toFunctionSelector(item)
  } catch (cause) {
    throw Object.assign(refusals.invalid('the interface is malformed'), { cause })
  }
}

/** An interface as JSON, or as what was JSON; only its functions count. */
function readAbi(value: unknown): readonly AbiFunction[] {
  const items = typeof value === 'string' ? parse(value) : value
  if (!Array.isArray(items) || items.length > 500) throw refusals.invalid('a contract is named without its interface')
  return items.filter((item): item is AbiFunction => {
    const isFunction = read(item, 'type') === 'function' && typeof read(item, 'name') === 'string'
    return isFunction && Array.isArray(read(item, 'inputs'))
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function addressOf(data: unknown): `0x${string}` {
  const address = read(data, 'address')
  if (!isAddress(address)) throw refusals.invalid('address is no contract')
  return address
}

function readTyped(value: unknown): Typed {
  const type = read(value, 'type')
  if (typeof type !== 'string' || type === '' || type.length > 128) throw refusals.invalid('a permission has no type')
  return { type, data: read(value, 'data') ?? {} }
}

function mustBeEmpty(policies: unknown): void {
  if (policies !== undefined && !(Array.isArray(policies) && policies.length === 0))
    throw refusals.invalid('policies are not understood')
}

export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
