import { formatAccountId, type AccountId } from '@latchkey/protocol'
import type { AuthPayload, Cacao, Wallet } from '@latchkey/walletconnect/wallet'
import type { Account, NamespaceAdapter } from '../namespaces/namespaceAdapter.ts'
import type { PendingRequest, DeveloperWalletOptions } from './developerWallet.ts'

type PendingProposal = Extract<PendingRequest, { kind: 'proposal' }>

/** A sign-in message of a proposal, with the account that signs it. */
export type SignInMessage = {
  readonly payload: AuthPayload
  readonly adapter: NamespaceAdapter
  readonly account: Account
  readonly accountId: AccountId
  readonly text: string
}

/**
 * Lists the sign-in messages of a proposal: one per network, for its first shared account.
 */
export function listSignInMessages(
  { proposal, support }: Pick<PendingProposal, 'proposal' | 'support'>,
  accounts: readonly Account[],
  {
    adapters,
    protocol,
  }: { adapters: readonly NamespaceAdapter[]; protocol: Pick<Wallet, 'formatAuthMessage'> | undefined },
): readonly SignInMessage[] {
  const known = support.networks.filter(({ isSupported }) => isSupported).map(({ chainId }) => chainId)
  return proposal.authentication.flatMap((payload) =>
    payload.chains
      .filter((chainId) => known.includes(chainId))
      .flatMap((chainId) => {
        const adapter = adapters.find(({ namespace }) => chainId.startsWith(`${namespace}:`))
        const account = accounts.find(({ namespace }) => namespace === adapter?.namespace)
        if (adapter?.signIn === undefined || account === undefined || protocol === undefined) return []
        const accountId = formatAccountId({ chainId, address: account.address })
        const text = protocol.formatAuthMessage({ payload }, accountId)
        return { payload, adapter, account, accountId, text }
      }),
  )
}

/** Signs the sign-in messages. */
export async function signSignInMessages(
  { createCacao }: Pick<DeveloperWalletOptions, 'createCacao'>,
  texts: readonly SignInMessage[],
): Promise<readonly Cacao[]> {
  const signed: Cacao[] = []
  for (const { payload, adapter, account, accountId, text } of texts) {
    const signature = await adapter.signIn?.(account, text)
    if (signature !== undefined) signed.push(createCacao(payload, accountId, signature))
  }
  return signed
}
