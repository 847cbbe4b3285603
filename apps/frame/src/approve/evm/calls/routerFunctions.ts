import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { createCalldata, type Calldata } from './calldata.ts'
import type { CallEffect, CallOutcome, InnerCall, KnownFunction } from './callEffects.ts'

/** Commands of one plan, and tokens of one command. More of them are unreadable on a screen. */
const most = 32

/** The flag that lets a command fail is 0x80. Later routers also have commands of seven bits, none of which is read here. */
const commandMask = 0x3f

/** A contract reads the words of a command without a look at its length, so all bytes behind it are part of it. */
type ReadCommand = (input: Calldata, router: `0x${string}`) => readonly CallEffect[]

/** A transfer of the caller's tokens by Permit2. */
const readTransferFrom: ReadCommand = (input, router) =>
  receiverOf(input, router).map((to) => ({ kind: 'transfer', token: input.address(0), to, units: input.number(2) }))

const readTransfersFrom: ReadCommand = (input) => {
  const { items, isTruncated } = input.list(0, 4, most)
  const moved = items.map((item): CallEffect => ({
    kind: 'transfer',
    from: item.address(0),
    to: item.address(1),
    units: item.number(2),
    token: item.address(3),
  }))
  return isTruncated ? [...moved, { kind: 'unreadable' }] : moved
}

/** A permit of Permit2 that the caller signed. */
const readPermit: ReadCommand = (input) => [
  {
    kind: 'allowance',
    token: input.address(0),
    units: input.number(1),
    deadline: input.number(2),
    spender: input.address(4),
  },
]

const readPermitBatch: ReadCommand = (input) => {
  const permit = input.struct(0)
  const spender = permit.address(1)
  const { items, isTruncated } = permit.list(0, 4, most)
  const grants = items.map((item): CallEffect => ({
    kind: 'allowance',
    token: item.address(0),
    units: item.number(1),
    deadline: item.number(2),
    spender,
  }))
  return isTruncated ? [...grants, { kind: 'unreadable' }] : grants
}

/** The router pays out tokens or native currency that it got, of which the plan doesn't name the amount. */
const readPayout: ReadCommand = (input, router) =>
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

const commands: Readonly<Record<number, ReadCommand>> = {
  0x02: readTransferFrom,
  0x03: readPermitBatch,
  0x04: readPayout,
  0x05: readPayout,
  0x06: readPayout,
  0x0a: readPermit,
  0x0d: readTransfersFrom,
}

/** `EXECUTE_SUB_PLAN`: the arguments of `execute(bytes,bytes[])`. */
const subPlan = 0x21
const subPlanSelector = hexToBytes('24856bc3')

/** Swaps and other commands can move tokens that the router may already spend, so the effects are never complete. */
function readPlan(args: Calldata, router: `0x${string}`): CallOutcome {
  const types = [...args.bytes(0)].map((byte) => byte & commandMask)
  const inputs = args.bytesTails(1, most).items
  const effects: CallEffect[] = [{ kind: 'incomplete' }]
  const calls: InnerCall[] = []
  for (const [at, type] of types.slice(0, most).entries()) {
    const input = inputs[at] ?? new Uint8Array()
    if (type === subPlan) calls.push({ to: router, value: 0n, data: concatBytes(subPlanSelector, input) })
    effects.push(...(commands[type]?.(createCalldata(input), router) ?? []))
  }
  if (types.length > most) effects.push({ kind: 'unreadable' })
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
