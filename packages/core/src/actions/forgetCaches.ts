import { parseAccountId, type AccountId } from '@latchkey/protocol'
import { forgetHoldings } from '../account/forgetHoldings.ts'
import type { Latchkey } from '../latchkey.ts'

/** Forgets what was read of accounts, so that nothing of who was here stays in the browser. */
export function forgetCaches(latchkey: Latchkey, accounts: readonly AccountId[]): void {
  for (const account of accounts) {
    const { address, namespace } = parseAccountId(account)
    latchkey.memory.setCached(`identity/${address}`, undefined)
    latchkey.memory.setCached(`receivers/${address}`, undefined)
    latchkey.memory.setCached(`names/${address}`, undefined)
    for (const { caipNetworkId, chainNamespace } of latchkey.networks) {
      if (chainNamespace === namespace) forgetHoldings(latchkey, account, caipNetworkId)
    }
  }
}
