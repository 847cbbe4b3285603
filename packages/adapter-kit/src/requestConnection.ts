import { withAbort } from '@latchkey/core/internal'
import { connectionError } from '@latchkey/protocol'
import { toConnectionError } from './walletErrors.ts'

/**
 * Asks a wallet for a connection until the caller aborts.
 *
 * @param wallet the name of the wallet, for errors
 * @throws LatchkeyError `connection/aborted`, `connection/rejected`, `wallet/unavailable`; other errors of `open`
 * @example const opened = await requestConnection('Example Wallet', signal, () => provider.request({ method: 'connect' }))
 */
export async function requestConnection<result>(
  wallet: string,
  signal: AbortSignal,
  open: () => Promise<result>,
): Promise<result> {
  if (signal.aborted) throw connectionError('connection/aborted', {})
  const opening = open().catch((error: unknown) => {
    throw toConnectionError(error, wallet)
  })
  return withAbort(opening, signal)
}
