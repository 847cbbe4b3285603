import type { Reader } from '../approval.ts'

/** What pages ask of an account of Solana. */
export const solanaReaders: Readonly<Record<string, Reader>> = {}
