import { shortenAddress, type AccountState } from '@latchkey/core'
import type { ReactElement } from 'react'
import { modalOf } from '@latchkey/modal'
import { buttonsEnglish } from '@latchkey/modal/messages'
import { avatarGradient } from '../avatar.ts'
import { useLatchkeyContext } from '../context.ts'
import { useStore } from '../useStore.ts'
import { useBalanceText } from './useBalanceText.ts'

/** An account that a button can show. */
export type ShownAccount = AccountState & { address: string }

type AccountContentProps = { account: ShownAccount; showBalance: boolean }

/**
 * Shows the account, its balance, and its network or the number of its pending transactions. An account whose wallet has
 * not responded yet is marked.
 */
export function AccountContent({ account, showBalance }: AccountContentProps): ReactElement {
  const { latchkey, texts, strings } = useLatchkeyContext()
  const t = { ...buttonsEnglish.button, ...texts?.button, ...strings?.button }
  const balance = useBalanceText(account, showBalance)
  const pending = useStore(modalOf(latchkey).pendingTexts)
  const { network } = account
  const place = network && (pending[network.chainNamespace] ?? network.name)
  return (
    <span>
      <i style={{ background: avatarGradient(account.address) }} />
      {shortenAddress(account.address)}
      <small>{account.status === 'reconnecting' ? t.reconnecting : place}</small>
      {balance !== undefined && <b>{balance}</b>}
    </span>
  )
}
