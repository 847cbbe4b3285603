import { brokenRule } from './brokenRule.ts'
import { formatScriptNumber, isTruthy, parseScriptNumber } from './scriptNumber.ts'

/** The values of a running script. */
export type Stack = {
  readonly size: number
  push(...values: readonly Uint8Array[]): void
  /** Removes the value at the top, or the one `depth` places below it. */
  take(depth?: number): Uint8Array
  takeNumber(maxLength?: number): number
  /** Reads the value at the top, or the one `depth` places below it. */
  peek(depth?: number): Uint8Array
}

/**
 * Creates a stack. Its methods end the evaluation if there are too few values.
 *
 * @param initial from bottom to top
 */
export function createStack(initial: readonly Uint8Array[]): Stack {
  const values = [...initial]
  function placeOf(depth: number): number {
    const place = values.length - 1 - depth
    return depth < 0 || place < 0 ? brokenRule('the stack has too few values') : place
  }
  function take(depth = 0): Uint8Array {
    const [value] = values.splice(placeOf(depth), 1)
    return value ?? brokenRule('the stack has too few values')
  }
  return {
    get size() {
      return values.length
    },
    push: (...added) => void values.push(...added),
    take,
    takeNumber: (maxLength) => parseScriptNumber(take(), maxLength),
    peek: (depth = 0) => values[placeOf(depth)] ?? brokenRule('the stack has too few values'),
  }
}

/** The operations that only move values, by opcode. */
export const stackOperations: { readonly [opcode in number]?: (stack: Stack) => void } = {
  0x6d: (stack) => void [stack.take(), stack.take()], // OP_2DROP
  0x6e: (stack) => stack.push(stack.peek(1), stack.peek(0)), // OP_2DUP
  0x6f: (stack) => stack.push(stack.peek(2), stack.peek(1), stack.peek(0)), // OP_3DUP
  0x70: (stack) => stack.push(stack.peek(3), stack.peek(2)), // OP_2OVER
  0x71: (stack) => stack.push(stack.take(5), stack.take(4)), // OP_2ROT
  0x72: (stack) => stack.push(stack.take(3), stack.take(2)), // OP_2SWAP
  0x73: (stack) => stack.push(...(isTruthy(stack.peek()) ? [stack.peek()] : [])), // OP_IFDUP
  0x74: (stack) => stack.push(formatScriptNumber(stack.size)), // OP_DEPTH
  0x75: (stack) => void stack.take(), // OP_DROP
  0x76: (stack) => stack.push(stack.peek()), // OP_DUP
  0x77: (stack) => void stack.take(1), // OP_NIP
  0x78: (stack) => stack.push(stack.peek(1)), // OP_OVER
  0x79: (stack) => stack.push(stack.peek(stack.takeNumber())), // OP_PICK
  0x7a: (stack) => stack.push(stack.take(stack.takeNumber())), // OP_ROLL
  0x7b: (stack) => stack.push(stack.take(2)), // OP_ROT
  0x7c: (stack) => stack.push(stack.take(1)), // OP_SWAP
  0x7d: (stack) => pushBelowTop(stack.take(), stack.take(), stack), // OP_TUCK
  0x82: (stack) => stack.push(formatScriptNumber(stack.peek().length)), // OP_SIZE
}

function pushBelowTop(top: Uint8Array, below: Uint8Array, stack: Stack): void {
  stack.push(top, below, top)
}
