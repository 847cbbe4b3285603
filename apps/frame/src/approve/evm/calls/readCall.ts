import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { batchFunctions } from './batchFunctions.ts'
import { createCalldata } from './calldata.ts'
import type { Call, CallEffect, InnerCall, KnownFunction } from './callEffects.ts'
import { grantFunctions } from './grantFunctions.ts'
import { orderFunctions } from './orderFunctions.ts'
import { routerFunctions } from './routerFunctions.ts'
import { transferFunctions } from './transferFunctions.ts'

/** A call with its effects, and the calls that it makes. */
export type CallReading = {
  readonly to: `0x${string}`
  readonly value: bigint
  /** `undefined` without data. */
  readonly selector?: `0x${string}`
  /** `undefined` for a function that the wallet doesn't understand. */
  readonly signature?: string
  readonly effects: readonly CallEffect[]
  readonly calls: readonly CallReading[]
}

/** Deeper and larger batches are unreadable on a screen, and costly to decode. */
const limits = { depth: 4, calls: 64 } as const
const selectorSize = 4

const functions: ReadonlyMap<string, KnownFunction> = new Map(
  Object.entries({ ...transferFunctions, ...grantFunctions, ...orderFunctions, ...batchFunctions, ...routerFunctions }),
)

/**
 * Reads the effects of a call by its selector, like the chain does: letter case, padding and trailing bytes don't
 * matter. Calls within the call are read to a depth of 4.
 */
export function readCall({ to, value, data }: Call & { readonly to: `0x${string}` }): CallReading {
  return readInnerCall({ to, value, data: bytesOf(data) }, 0, { left: limits.calls })
}

/** Nodes refuse an odd number of digits. Here it only must not throw. */
function bytesOf(data: `0x${string}`): Uint8Array {
  return hexToBytes(data.slice(2).padEnd(Math.ceil(data.length / 2) * 2 - 2, '0'))
}

function readInnerCall({ to, value, data }: InnerCall, depth: number, budget: { left: number }): CallReading {
  const base = { to, value, effects: [], calls: [] }
  if (data.length === 0) return base
  const selector: `0x${string}` = `0x${bytesToHex(data.subarray(0, selectorSize))}`
  const known = functions.get(selector)
  if (known === undefined) return { ...base, selector }
  const { effects, calls = [] } = known.read(createCalldata(data.subarray(selectorSize)), to)
  budget.left -= calls.length
  const { signature } = known
  if (calls.length > 0 && (depth === limits.depth || budget.left < 0))
    return { ...base, selector, signature, effects: [...effects, { kind: 'unreadable' }] }
  return { to, value, selector, signature, effects, calls: calls.map((call) => readInnerCall(call, depth + 1, budget)) }
}

/** True for functions that transfer assets, grant allowances or make further calls. */
export function isKnownFunction(selector: string): boolean {
  return functions.has(selector.toLowerCase())
}

/** Returns the effects of a call and of all calls within it. */
export function allEffects({ effects, calls }: CallReading): readonly CallEffect[] {
  return [...effects, ...calls.flatMap(allEffects)]
}
