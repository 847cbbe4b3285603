import { formatAccountId, type AccountId } from '@latchkey/protocol'
import type { AuthPayload, Cacao, Wallet } from '@latchkey/walletconnect/wallet'
import type { Account, Family } from '../families/family.ts'
import type { Ask, WalletParts } from './developerWallet.ts'

type ProposalAsk = Extract<Ask, { kind: 'proposal' }>

/** A text that an app wants signed along with the connection, and by whom. */
export type SignInText = {
  readonly payload: AuthPayload
  readonly family: Family
  readonly account: Account
  readonly accountId: AccountId
  readonly text: string
}

/**
 * The texts that an app wants signed along with the connection, as the accounts that it shall see would sign them: one
 * for each network, by the first account there.
 */
export function signInTexts(
  { proposal, offer }: Pick<ProposalAsk, 'proposal' | 'offer'>,
  accounts: readonly Account[],
  { families, protocol }: { families: readonly Family[]; protocol: Pick<Wallet, 'formatAuthMessage'> | undefined },
): readonly SignInText[] {
  const known = offer.networks.filter(({ isSupported }) => isSupported).map(({ chainId }) => chainId)
  return proposal.authentication.flatMap((payload) =>
    payload.chains
      .filter((chainId) => known.includes(chainId))
      .flatMap((chainId) => {
        const family = families.find(({ namespace }) => chainId.startsWith(`${namespace}:`))
        const account = accounts.find(({ namespace }) => namespace === family?.namespace)
        if (family?.signIn === undefined || account === undefined || protocol === undefined) return []
        const accountId = formatAccountId({ chainId, address: account.address })
        const text = protocol.formatAuthMessage({ payload }, accountId)
        return { payload, family, account, accountId, text }
      }),
  )
}

/** Signs them. */
export async function signTexts(
  { createCacao }: Pick<WalletParts, 'createCacao'>,
  texts: readonly SignInText[],
): Promise<readonly Cacao[]> {
  const signed: Cacao[] = []
  for (const { payload, family, account, accountId, text } of texts) {
    const signature = await family.signIn?.(account, text)
    if (signature !== undefined) signed.push(createCacao(payload, accountId, signature))
  }
  return signed
}
