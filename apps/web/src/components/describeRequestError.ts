import { isLatchkeyError } from '@latchkey/core'

/** Describes a failed request to the user. The names of the methods behind it are for developers. */
export function describeRequestError(error: unknown): string {
  // The embedded wallet has sentences of its own, such as 'Request was aborted' [R8.2.8].
  if (isLatchkeyError(error, 'request/rejected') && error.message.includes(error.context.method))
    return 'The request was rejected in the wallet. Send it again to retry.'
  if (isLatchkeyError(error, 'request/unknown')) {
    return 'The outcome is unknown: the wallet may still respond. Check the wallet before you send it again.'
  }
  if (isLatchkeyError(error, 'request/not-allowed'))
    return 'Requested RPC call is not allowed: the wallet does not do this.'
  if (isLatchkeyError(error, 'request/failed'))
    return `The wallet failed to handle the request: ${error.context.reason}`
  return error instanceof Error ? error.message : String(error)
}
