import type { AccountDetails, Provider } from '@latchkey/core'
import type { AccountId, Namespace } from '@latchkey/protocol'
import { createAccountDetailsStore } from './accountDetailsStore.ts'
import { accountDetailsSources, signerParameters } from './signerParameters.ts'
import { isUnknownRecord } from '../primitives/unknownRecord.ts'
import type { SessionProperties } from '../session/sessionExtras.ts'

type Accounts = readonly [AccountId, ...AccountId[]]

export type NativeNamespaceDependencies = {
  namespace: Namespace
  /** The properties of the settled session. */
  properties: SessionProperties | undefined
  /** The first is the selected one. */
  accounts(): Accounts
  /** Selects an account by its address. */
  select(address: string): void
  /** Reports changed details of the accounts. */
  notify(): void
  /** Sends approved methods to the wallet and refuses others. */
  wallet: Provider
}

/** Support for a namespace without EIP-1193. Loaded only if the app has such networks. */
export type NativeNamespace = {
  /** Adds the selected account to requests without one, and collects account details from responses. */
  readonly provider: Provider
  details(account: AccountId): AccountDetails | undefined
  /** Takes account details from an event. Ignores other events. */
  handleEvent(event: string, data: unknown): void
}

/** Creates the support for one connection. */
export function createNativeNamespace({
  namespace,
  properties,
  accounts,
  select,
  notify,
  wallet,
}: NativeNamespaceDependencies): NativeNamespace {
  const detailsStore = createAccountDetailsStore()
  const source = accountDetailsSources[namespace]
  const signerName = signerParameters[namespace]
  if (source !== undefined) detailsStore.addList(properties?.[source.property])
  const details = (account: AccountId): AccountDetails | undefined => detailsStore.get(addressOfAccountId(account))

  function withSigner(params: unknown = {}): unknown {
    if (signerName === undefined || !isUnknownRecord(params) || params[signerName] !== undefined) return params
    return { ...params, [signerName]: addressOfAccountId(accounts()[0]) }
  }

  return {
    details,
    provider: {
      async request({ method, params }) {
        const response = await wallet.request({ method, params: withSigner(params) })
        if (method === source?.method) detailsStore.addList(response)
        return response
      },
    },
    handleEvent(event, data) {
      if (event !== source?.event) return
      const previousDetails = JSON.stringify(accounts().map(details))
      const listed = detailsStore.addList(data)
      const [selected = '', ...others] = accounts().map(addressOfAccountId)
      // Wallets list the addresses of the account that the user has open. An account that is not listed is not open.
      const next = listed.includes(selected) ? undefined : others.find((address) => listed.includes(address))
      if (next !== undefined) select(next)
      else if (JSON.stringify(accounts().map(details)) !== previousDetails) notify()
    },
  }
}

/** Returns the address of a CAIP-10 id. Not shared with the client: bundlers would move it out of the client's chunk. */
function addressOfAccountId(account: AccountId): string {
  return account.slice(account.lastIndexOf(':') + 1)
}
