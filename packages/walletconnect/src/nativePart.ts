import type { AccountDetails, Provider } from '@latchkey/core'
import type { AccountId, Namespace } from '@latchkey/protocol'
import { createAccountNotes } from './accountNotes.ts'
import { noteWords, signerParameter } from './nativeWords.ts'
import { isRecord } from './parse.ts'
import type { Properties } from './session.ts'

type Accounts = readonly [AccountId, ...AccountId[]]

/** What a connection stands on where its wallet is asked in the words of its own family. */
export type NativeParts = {
  namespace: Namespace
  /** What the session was settled with. */
  properties: Properties | undefined
  /** The first is the selected one. */
  accounts(): Accounts
  /** Selects one of them by its address. */
  select(address: string): void
  /** Tells that more is known of the accounts. */
  tell(): void
  /** The wallet itself; refuses methods that it did not approve. */
  wallet: Provider
}

/** The part of a connection that only families outside of EIP-1193 need, loaded when a session grants one. */
export type NativePart = {
  /** Names the selected account where nobody else is named, and hears what is said of accounts. */
  readonly provider: Provider
  details(account: AccountId): AccountDetails | undefined
  /** Takes what the wallet tells of its accounts; overlooks all else. */
  hear(event: string, data: unknown): void
}

/** Makes the part of one connection. */
export function createNativePart({ namespace, properties, accounts, select, tell, wallet }: NativeParts): NativePart {
  const notes = createAccountNotes()
  const words = noteWords[namespace]
  const signer = signerParameter[namespace]
  if (words !== undefined) notes.take(properties?.[words.property])
  const details = (account: AccountId): AccountDetails | undefined => notes.of(addressOf(account))

  function named(params: unknown = {}): unknown {
    if (signer === undefined || !isRecord(params) || params[signer] !== undefined) return params
    return { ...params, [signer]: addressOf(accounts()[0]) }
  }

  return {
    details,
    provider: {
      async request({ method, params }) {
        const answer = await wallet.request({ method, params: named(params) })
        if (method === words?.method) notes.take(answer)
        return answer
      },
    },
    hear(event, data) {
      if (event !== words?.event) return
      const saidBefore = JSON.stringify(accounts().map(details))
      const listed = notes.take(data)
      const [selected = '', ...others] = accounts().map(addressOf)
      // Wallets list the addresses of the account that their owner is in: one that is not among them is left.
      const next = listed.includes(selected) ? undefined : others.find((address) => listed.includes(address))
      if (next !== undefined) select(next)
      else if (JSON.stringify(accounts().map(details)) !== saidBefore) tell()
    },
  }
}

/** The address in a CAIP-10 id. Its own, as code that is shared with the client would be taken out of that. */
function addressOf(account: AccountId): string {
  return account.slice(account.lastIndexOf(':') + 1)
}
