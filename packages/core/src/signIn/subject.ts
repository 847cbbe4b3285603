import { formatAccountId, type AccountId, type ChainId } from '@latchkey/protocol'
import type { Latchkey } from '../instance/latchkey.ts'
import { getAdapter, accountStateOf } from '../state/getAccount.ts'
import { fromSiweConfig } from './siweConfig.ts'
import type { SignIn } from './signInState.ts'
import { signInError } from './signInError.ts'

/** The account that signs in: the active account on its network. */
export type Subject = { account: AccountId; chainId: ChainId; address: string }

/** Returns the active account with its network, or undefined if none is connected or its network is unsupported. */
export function getSignInSubject(
  latchkey: Pick<Latchkey, 'adapters' | 'networks' | 'wallet' | 'internal'>,
): Subject | undefined {
  const account = accountStateOf(latchkey)
  if (account.status !== 'connected' || !account.supported) return undefined
  const { address } = account
  const chainId = account.network.caipNetworkId
  return { account: formatAccountId({ chainId, address }), chainId, address }
}

/**
 * Returns the sign-in of the app.
 *
 * @throws LatchkeyError `sign-in/not-enabled`.
 */
export function getSignInPolicy({ internal }: Pick<Latchkey, 'internal'>): SignIn {
  const { signIn } = internal.settings
  if (signIn === undefined) throw signInError('sign-in/not-enabled', {})
  return 'getNonce' in signIn ? fromSiweConfig(signIn) : signIn
}

/** True if the app requires a session. That is the default. */
export function isSignInRequired(policy: SignIn): boolean {
  return policy.getRequired?.() ?? true
}

/** Returns the address in the form of a sign-in message. */
export async function formatSignInAddress(
  latchkey: Pick<Latchkey, 'adapters'>,
  { chainId, address }: Omit<Subject, 'account'>,
): Promise<string> {
  const adapter = getAdapter(latchkey, chainId.slice(0, chainId.indexOf(':')))
  return (await adapter.signInAddress?.(address)) ?? address
}
