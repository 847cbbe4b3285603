import type { Provider } from '@latchkey/core'
import { parseAccountId, type AccountId, type Namespace } from '@latchkey/protocol'
import type { AccountNotes } from './accountNotes.ts'
import { noteWords, signerParameter } from './namespaces.ts'
import { isRecord } from './parse.ts'

/** What a provider over a session stands on, where wallets are asked in the words of their own family. */
export type NativeProviderParts = {
  namespace: Namespace
  /** The first is the selected one. */
  accounts(): readonly [AccountId, ...AccountId[]]
  notes: AccountNotes
  /** The wallet itself; refuses methods that it did not approve. */
  wallet: Provider
}

/** The face of a session outside of EIP-1193: names the selected account where nobody else is named, and hears what is said of accounts. */
export function createNativeProvider({ namespace, accounts, notes, wallet }: NativeProviderParts): Provider {
  const signer = signerParameter[namespace]

  function named(params: unknown = {}): unknown {
    if (signer === undefined || !isRecord(params) || params[signer] !== undefined) return params
    return { ...params, [signer]: parseAccountId(accounts()[0]).address }
  }

  return {
    async request({ method, params }) {
      const answer = await wallet.request({ method, params: named(params) })
      if (method === noteWords[namespace]?.method) notes.take(answer)
      return answer
    },
  }
}
