import { getErrorReason, parseThrown } from '@latchkey/adapter-kit'
import { getField } from '@latchkey/protocol'

/** Returns the code of an error that a wallet threw. Some wallets throw -32603 and nest the actual code. */
export function getEip1193ErrorCode(error: unknown): number | undefined {
  const thrown = parseThrown(error)
  const codes = [getField(thrown, 'data', 'originalError', 'code'), getField(thrown, 'code')]
  return codes.find((code) => typeof code === 'number')
}

/** True if the user declined, by code or by the message of wallets that throw no code. */
export function isEip1193Rejection(error: unknown): boolean {
  const rejectionPattern =
    /user (reject|deni|declin|cancel)|(rejected|denied|declined|cancell?ed) by( the)? user|connection request reset/i
  return getEip1193ErrorCode(error) === 4001 || rejectionPattern.test(getErrorReason(error))
}
