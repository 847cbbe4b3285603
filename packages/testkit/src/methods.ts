import { hexChainId, type ChainList } from './chainList.ts'
import { askChain } from './chainRpc.ts'
import type { Permission } from './permission.ts'
import { signWith } from './signing.ts'

/** What the methods of a wallet work on. */
export type WalletParts = {
  chains: ChainList
  page: Permission
  /** Whether it goes to a chain that it was just told to add. */
  switchesToAdded: boolean
  /** Tells the page that the chain is another one, when it is. */
  tellChain(moved: boolean): void
  /** Does what changes the accounts that the page sees, and tells it. */
  change(what: () => void): void
}

/** Does a request, after all questions to the owner are settled. */
export type CarryOut = (method: string, params: unknown) => Promise<unknown>

/** Makes what does the wallet's work: itself, with its keys, or by asking the chain. */
export function createMethods({ chains, page, switchesToAdded, tellChain, change }: WalletParts): CarryOut {
  let sending: Promise<unknown> = Promise.resolve()

  const own: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_requestAccounts: () => page.grant(),
    eth_accounts: () => page.addresses(),
    eth_chainId: () => hexChainId(chains.current().id),
    net_version: () => String(chains.current().id),
    wallet_switchEthereumChain([parameter]) {
      tellChain(chains.switchTo(parameter))
      return null
    },
    wallet_addEthereumChain([description]) {
      const added = chains.learn(description)
      if (switchesToAdded) tellChain(chains.goTo(added))
      return null
    },
    wallet_revokePermissions() {
      change(page.revoke)
      return null
    },
  }

  return async (method, params) => {
    const list: readonly unknown[] = Array.isArray(params) ? params : []
    const handle = own[method]
    if (handle !== undefined) return handle(list)
    const chain = chains.current()
    if (!isSigning(method)) return askChain(chain.rpcUrl ?? '', method, params)
    // One at a time: two transactions at once would take the same nonce.
    const signed = sending.then(() => signWith(page.accounts(), chain, method, list))
    sending = signed.catch(() => undefined)
    return signed
  }
}

function isSigning(method: string): boolean {
  return /^(personal_sign|eth_sign|eth_signTypedData(_v\d)?|eth_sendTransaction|wallet_\w+)$/.test(method)
}
