import { shortenAddress, type AccountState } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { avatarGradient } from '../avatar.ts'
import { useChunk } from '../chunks.ts'

/** An account that a button can show. */
export type ShownAccount = AccountState & { address: string }

type AccountFaceProps = { account: ShownAccount; namespace: Namespace | undefined; showBalance: boolean }

const loadBalance = (): Promise<typeof import('./ButtonBalance.tsx')> => import('./ButtonBalance.tsx')

/** Shows the connected account, its network and its balance. */
export function AccountFace({ account, namespace, showBalance }: AccountFaceProps): ReactElement {
  const balance = useChunk(loadBalance, showBalance)
  return (
    <span>
      <i style={{ background: avatarGradient(account.address) }} />
      {shortenAddress(account.address)}
      <small>{account.network?.name}</small>
      {showBalance && balance !== undefined && balance !== 'failed' && <balance.ButtonBalance namespace={namespace} />}
    </span>
  )
}
