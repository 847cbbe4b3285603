import { getErrorReason } from '@latchkey/adapter-kit'
import { getField } from '@latchkey/protocol'

/** Returns the code of an error that a wallet threw. Some wallets throw -32603 and nest the actual code. */
export function getEip1193ErrorCode(error: unknown): number | undefined {
  const codes = [getField(error, 'data', 'originalError', 'code'), getField(error, 'code')]
  return codes.find((code) => typeof code === 'number')
}

/** True if the user declined, by code or by the message of wallets that throw no code. */
export function isEip1193Rejection(error: unknown): boolean {
  const rejectionPattern = /user rejected|user denied|connection request reset/i
  return getEip1193ErrorCode(error) === 4001 || rejectionPattern.test(getErrorReason(error))
}
