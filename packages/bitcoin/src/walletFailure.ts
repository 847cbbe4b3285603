import { LatchkeyError } from '@latchkey/protocol'
import { field } from './pageWallet.ts'

/** What wallets say when their owner declined: EIP-1193, and sats-connect. */
const rejectionCodes: readonly unknown[] = [4001, -32_000]

/** What a wallet threw, in the words of Latchkey. */
export function walletFailure(method: string, cause: unknown): LatchkeyError {
  if (cause instanceof LatchkeyError) return cause
  const code = field(cause, 'code')
  const message = field(cause, 'message')
  const reason = typeof message === 'string' && message !== '' ? message.slice(0, 200) : 'it gave no reason'
  if (rejectionCodes.includes(code) || /reject|denied|declin|cancel/i.test(reason)) {
    return new LatchkeyError('request/rejected', { method }, { cause })
  }
  return new LatchkeyError(
    'request/failed',
    { method, code: typeof code === 'number' ? code : undefined, reason },
    { cause },
  )
}
