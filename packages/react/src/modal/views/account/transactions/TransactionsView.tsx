import type { ReactElement } from 'react'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { holdingsMessages } from '@latchkey/modal/messages'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { accountCss } from '../account/account.css.ts'
import { Activity } from '../account/Activity.tsx'
import { useRefreshWhilePending } from '../account/useRefreshWhilePending.ts'
import { NotConnected } from '../account/NotConnected.tsx'

/** All transactions of the account on its network. */
export default function TransactionsView(): ReactElement {
  const account = useAccount()
  useViewStyles(accountCss)
  useRefreshWhilePending()
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <FlowMessages chunk={holdingsMessages}>
      <Activity />
    </FlowMessages>
  )
}
