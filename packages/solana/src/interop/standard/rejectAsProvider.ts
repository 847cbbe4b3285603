import { toProviderRpcError } from '@latchkey/core/internal'

/**
 * Runs a request of an app. Wallets of the Wallet Standard reject with the numbers of EIP-1193, of which apps know 4001: the user
 * declined. The `cause` is the error of Latchkey.
 */
export async function rejectAsProvider<result>(run: () => Promise<result>): Promise<result> {
  try {
    return await run()
  } catch (error) {
    throw toProviderRpcError(error)
  }
}
