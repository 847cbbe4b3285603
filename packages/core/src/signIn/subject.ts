import { formatAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { Latchkey } from '../latchkey.ts'
import { adapterOf, getAccount } from '../state/wallet.ts'
import { fromSiweConfig } from './siweConfig.ts'
import type { SignIn } from './signIn.ts'
import { signInError } from './signInError.ts'

/** Who is to sign in, and where: the account of the active namespace on the network that it stands on. */
export type Subject = { account: AccountId; chainId: ChainId; address: string }

/** The active account with its network; undefined when nobody is connected, or on no network of the app. */
export function subjectOf(latchkey: Latchkey): Subject | undefined {
  const account = getAccount(latchkey)
  if (account.status !== 'connected' || !account.supported) return undefined
  const { address } = account
  const chainId = account.network.caipNetworkId
  return { account: formatAccountId({ chainId, address }), chainId, address }
}

/**
 * How the app signs in.
 *
 * @throws LatchkeyError `sign-in/not-enabled`.
 */
export function policyOf({ settings: { signIn } }: Latchkey): SignIn {
  if (signIn === undefined) throw signInError('sign-in/not-enabled', {})
  return 'getNonce' in signIn ? fromSiweConfig(signIn) : signIn
}

export function isRequired(policy: SignIn): boolean {
  return policy.getRequired?.() ?? true
}

/** The address as a sign-in spells it. */
export async function spell(latchkey: Latchkey, { chainId, address }: Omit<Subject, 'account'>): Promise<string> {
  const adapter = adapterOf(latchkey, chainId.slice(0, chainId.indexOf(':')))
  return (await adapter.signInAddress?.(address)) ?? address
}
