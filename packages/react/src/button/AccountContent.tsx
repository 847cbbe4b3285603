import { shortenAddress, type AccountState } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { modalOf } from '@latchkey/modal'
import { buttonsEnglish } from '@latchkey/modal/messages'
import { avatarGradient } from '../avatar.ts'
import { useChunk } from '../useChunk.ts'
import { useLatchkeyContext } from '../context.ts'
import { useStore } from '../useStore.ts'

/** An account that a button can show. */
export type ShownAccount = AccountState & { address: string }

type AccountContentProps = { account: ShownAccount; namespace: Namespace | undefined; showBalance: boolean }

const loadBalance = (): Promise<typeof import('./ButtonBalance.tsx')> => import('./ButtonBalance.tsx')

/**
 * Shows the account, its balance, and its network or the number of its pending transactions. An account whose wallet has
 * not responded yet is marked.
 */
export function AccountContent({ account, namespace, showBalance }: AccountContentProps): ReactElement {
  const { latchkey, texts, strings } = useLatchkeyContext()
  const t = { ...buttonsEnglish.button, ...texts?.button, ...strings?.button }
  const balance = useChunk(loadBalance, showBalance)
  const pending = useStore(modalOf(latchkey).pendingTexts)
  const { network } = account
  const place = network && (pending[network.chainNamespace] ?? network.name)
  return (
    <span>
      <i style={{ background: avatarGradient(account.address) }} />
      {shortenAddress(account.address)}
      <small>{account.status === 'reconnecting' ? t.reconnecting : place}</small>
      {showBalance && balance !== undefined && balance !== 'failed' && <balance.ButtonBalance namespace={namespace} />}
    </span>
  )
}
