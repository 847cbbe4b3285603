import type { ReactElement } from 'react'
import { useAccount } from '../../../hooks/useAccount.ts'
import { holdingsPart } from '../../../strings/holdings/texts.ts'
import { Spoken } from '../../../strings/part.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { accountCss } from '../account/account.css.ts'
import { Activity } from '../account/Activity.tsx'
import { useKeptFresh } from '../account/useKeptFresh.ts'
import { NotConnected } from '../account/NotConnected.tsx'

/** All that the account did on its network. */
export default function TransactionsView(): ReactElement {
  const account = useAccount()
  useViewStyles(accountCss)
  useKeptFresh()
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <Spoken part={holdingsPart}>
      <Activity />
    </Spoken>
  )
}
