import type { Hex } from '../block.ts'

/** Gets the form of bytes in a parameter of a statement. */
export const toBytea = (hex: Hex): string => `\\x${hex.slice(2)}`
