import { getEnsAvatar, getEnsName, getIdentity, type EnsOptions, type Identity } from '@latchkey/core'
import type { AccountId } from '@latchkey/protocol'
import { toValue, type MaybeRefOrGetter } from 'vue'
import { useAccount } from './useAccount.ts'
import { useReadOf, type Read } from './useRead.ts'

const noOthers = (): readonly unknown[] => []

/**
 * Returns the primary name of an address, read from ENS on the chain. `useIdentity` asks the server instead.
 *
 * @param options the address, that of the connected account if omitted; `chainId` selects the network whose records are
 * preferred
 * @returns `data` is null if the address has no name, or if no network of the app has ENS
 * @example const { data: name } = useEnsName(() => ({ address }))
 */
export function useEnsName(options: MaybeRefOrGetter<{ address?: string } & EnsOptions> = {}): Read<string | null> {
  const account = useAccount()
  const subject = (): { about: string; chainId: EnsOptions['chainId'] } | undefined => {
    const { address, chainId } = toValue(options)
    const about = address ?? (account.value.status === 'connected' ? account.value.address : undefined)
    return about === undefined ? undefined : { about, chainId }
  }
  return useReadOf(subject, noOthers, (latchkey, { about, chainId }) => getEnsName(latchkey, about, { chainId }))
}

/**
 * Returns the picture of an ENS name.
 *
 * @param options the name, for example the `data` of `useEnsName`; nothing is read while it is null or undefined
 * @returns `data` is an https or data URL, or null if the name has no picture
 * @example const { data: avatar } = useEnsAvatar({ name: 'visitor.eth' })
 */
export function useEnsAvatar(
  options: MaybeRefOrGetter<{ name: string | null | undefined } & EnsOptions>,
): Read<string | null> {
  const subject = (): { name: string; chainId: EnsOptions['chainId'] } | undefined => {
    const { name, chainId } = toValue(options)
    return name === null || name === undefined ? undefined : { name, chainId }
  }
  return useReadOf(subject, noOthers, (latchkey, { name, chainId }) => getEnsAvatar(latchkey, name, { chainId }))
}

/**
 * Returns the name and avatar of an account, from the server. Both are undefined without a server.
 *
 * @param account the connected account if omitted
 * @example const { data: identity } = useIdentity()
 */
export function useIdentity(account?: MaybeRefOrGetter<AccountId | undefined>): Read<Identity> {
  const active = useAccount()
  const subject = (): AccountId | undefined =>
    toValue(account) ?? (active.value.status === 'connected' ? active.value.account : undefined)
  return useReadOf(subject, noOthers, (latchkey, about) => getIdentity(latchkey, about))
}
