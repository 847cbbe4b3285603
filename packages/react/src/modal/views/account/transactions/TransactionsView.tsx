import type { ReactElement } from 'react'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { holdingsMessages } from '@latchkey/modal/messages'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { accountCss } from '../account/account.css.ts'
import { Activity } from '../account/Activity.tsx'
import { useRefreshOnChange } from '../../../../queries/useRefreshOnChange.ts'
import { useRefreshWhilePending } from '../account/useRefreshWhilePending.ts'
import { useSupported } from '../account/useSupported.ts'
import { NotConnected } from '../account/NotConnected.tsx'

/** All transactions of the account on its network. */
export default function TransactionsView(): ReactElement {
  const account = useAccount()
  const supported = useSupported()
  useViewStyles(accountCss)
  useRefreshWhilePending()
  useRefreshOnChange(supported('history'))
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <FlowMessages chunk={holdingsMessages}>
      <Activity />
    </FlowMessages>
  )
}
