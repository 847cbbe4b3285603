import { toRequestError } from '@latchkey/adapter-kit'
import type { LatchkeyError } from '@latchkey/protocol'

/** The codes for a declined request: EIP-1193, and sats-connect. */
const rejectionCodes: readonly unknown[] = [4001, -32_000]

/** Translates an error that a wallet threw. */
export function toBitcoinWalletError(method: string, error: unknown): LatchkeyError {
  return toRequestError(method, error, { rejectionCodes, rejectionPattern: /reject|denied|declin|cancel/i })
}
