import { brokenRule } from './brokenRule.ts'
import { formatScriptNumber } from './scriptNumber.ts'
import type { Stack } from './stack.ts'

const unary: { readonly [opcode in number]?: (value: number) => number } = {
  0x8b: (value) => value + 1,
  0x8c: (value) => value - 1,
  0x8f: (value) => -value,
  0x90: Math.abs,
  0x91: (value) => Number(value === 0),
  0x92: (value) => Number(value !== 0),
}

const binary: { readonly [opcode in number]?: (a: number, b: number) => number } = {
  0x93: (a, b) => a + b,
  0x94: (a, b) => a - b,
  0x9a: (a, b) => Number(a !== 0 && b !== 0),
  0x9b: (a, b) => Number(a !== 0 || b !== 0),
  0x9c: (a, b) => Number(a === b),
  0x9e: (a, b) => Number(a !== b),
  0x9f: (a, b) => Number(a < b),
  0xa0: (a, b) => Number(a > b),
  0xa1: (a, b) => Number(a <= b),
  0xa2: (a, b) => Number(a >= b),
  0xa3: Math.min,
  0xa4: Math.max,
}

/** Runs an operation on numbers. Every other opcode is unknown, or fails by definition (OP_RETURN). */
export function runArithmetic(stack: Stack, opcode: number): void {
  const [one, two] = [unary[opcode], binary[opcode]]
  if (one !== undefined) return stack.push(formatScriptNumber(one(stack.takeNumber())))
  if (two !== undefined) {
    const b = stack.takeNumber()
    return stack.push(formatScriptNumber(two(stack.takeNumber(), b)))
  }
  switch (opcode) {
    case 0x9d: // OP_NUMEQUALVERIFY
      return stack.takeNumber() === stack.takeNumber() ? undefined : brokenRule('two numbers differ')
    case 0xa5: {
      // OP_WITHIN
      const [maximum, minimum, value] = [stack.takeNumber(), stack.takeNumber(), stack.takeNumber()]
      return stack.push(formatScriptNumber(Number(minimum <= value && value < maximum)))
    }
    default:
      return brokenRule('an operation is unknown')
  }
}
