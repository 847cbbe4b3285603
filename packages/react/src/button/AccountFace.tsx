import { shortenAddress, type AccountState } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { buttonsEnglish } from '@latchkey/modal/messages'
import { avatarGradient } from '../avatar.ts'
import { useChunk } from '../chunks.ts'
import { useSurroundings } from '../context.ts'

/** An account that a button can show. */
export type ShownAccount = AccountState & { address: string }

type AccountFaceProps = { account: ShownAccount; namespace: Namespace | undefined; showBalance: boolean }

const loadBalance = (): Promise<typeof import('./ButtonBalance.tsx')> => import('./ButtonBalance.tsx')

/** Shows the account, its network and its balance. An account whose wallet has not responded yet is marked. */
export function AccountFace({ account, namespace, showBalance }: AccountFaceProps): ReactElement {
  const { texts, strings } = useSurroundings()
  const t = { ...buttonsEnglish.button, ...texts?.button, ...strings?.button }
  const balance = useChunk(loadBalance, showBalance)
  return (
    <span>
      <i style={{ background: avatarGradient(account.address) }} />
      {shortenAddress(account.address)}
      <small>{account.status === 'reconnecting' ? t.reconnecting : account.network?.name}</small>
      {showBalance && balance !== undefined && balance !== 'failed' && <balance.ButtonBalance namespace={namespace} />}
    </span>
  )
}
