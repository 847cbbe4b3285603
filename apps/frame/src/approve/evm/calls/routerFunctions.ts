import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { createCalldata, type Calldata } from './calldata.ts'
import type { CallEffect, CallOutcome, InnerCall, KnownFunction, ReadEffects } from './callEffects.ts'
import { mostItems, permitBatchAt, readPermit2Transfers, tokenAllowanceAt } from './permit2.ts'

/** The flag that lets a command fail is 0x80. Later routers also have commands of seven bits, none of which is read here. */
const commandMask = 0x3f

/** A transfer of the caller's tokens by Permit2. */
const readTransferFrom: ReadEffects = (input, router) =>
  receiverOf(input, router).map((to) => ({ kind: 'transfer', token: input.address(0), to, units: input.number(2) }))

/** The router pays out tokens or native currency that it got, of which the plan doesn't name the amount. */
const readPayout: ReadEffects = (input, router) =>
  receiverOf(input, router)
    .filter((to) => to !== router)
    .map((to) => ({ kind: 'payout', token: input.address(0), to }))

/** The router writes the caller as 1, who loses nothing then, and itself as 2. */
function receiverOf(input: Calldata, router: `0x${string}`): readonly `0x${string}`[] {
  const receiver = input.address(1)
  const code = BigInt(receiver)
  if (code === 1n) return []
  return [code === 2n ? router : receiver]
}

/** The router reads the words of a command without a look at its length, so all bytes behind it are part of it. */
const commands: Readonly<Record<number, ReadEffects>> = {
  0x02: readTransferFrom,
  0x03: permitBatchAt(0),
  0x04: readPayout,
  0x05: readPayout,
  0x06: readPayout,
  0x0a: tokenAllowanceAt(0, 4, 1, 2),
  0x0d: readPermit2Transfers,
}

/** `EXECUTE_SUB_PLAN`: the arguments of `execute(bytes,bytes[])`. */
const subPlan = 0x21
const subPlanSelector = hexToBytes('24856bc3')

/** Swaps and other commands can move tokens that the router may already spend, so the effects are never complete. */
function readPlan(args: Calldata, router: `0x${string}`): CallOutcome {
  const types = [...args.bytes(0)].map((byte) => byte & commandMask)
  const inputs = args.bytesTails(1, mostItems).items
  const effects: CallEffect[] = [{ kind: 'incomplete' }]
  const calls: InnerCall[] = []
  for (const [at, type] of types.slice(0, mostItems).entries()) {
    const input = inputs[at] ?? new Uint8Array()
    if (type === subPlan) calls.push({ to: router, value: 0n, data: concatBytes(subPlanSelector, input) })
    effects.push(...(commands[type]?.(createCalldata(input), router) ?? []))
  }
  if (types.length > mostItems) effects.push({ kind: 'unreadable' })
  return { effects, calls }
}

/**
 * The functions of Uniswap's Universal Router, by selector. A plan is a list of commands, among them permits and transfers of
 * Permit2.
 */
export const routerFunctions: Readonly<Record<string, KnownFunction>> = {
  '0x24856bc3': { signature: 'execute(bytes,bytes[])', read: readPlan },
  '0x3593564c': { signature: 'execute(bytes,bytes[],uint256)', read: readPlan },
}
