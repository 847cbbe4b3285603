import { readUint } from './byteReader.ts'
import { systemProgram } from './programName.ts'
import type { SolanaMessage } from './solanaMessage.ts'

/** `AdvanceNonceAccount` of the System program. */
const advanceNonce = 4n

/**
 * True if a transaction uses a durable nonce instead of a recent blockhash: its first instruction advances a nonce
 * account. It stays valid after it is signed. The network ignores bytes behind the kind of the instruction.
 */
export function isDurable({ instructions: [first], accounts }: SolanaMessage): boolean {
  if (first === undefined || accounts[first.program] !== systemProgram || first.data.length < 4) return false
  return readUint(first.data, 0, 4) === advanceNonce
}
