import type { AccountState } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import { namesMessages } from '@latchkey/modal/messages'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useIdentity } from '../../../../hooks/useIdentity.ts'
import { namesQuery } from '../../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { accountCss } from '../../account/account/account.css.ts'
import { Avatar } from '../../account/account/Avatar.tsx'
import { NotConnected } from '../../account/account/NotConnected.tsx'

/** Explains names, with a button that chooses one. */
export default function ChooseAccountNameView(): ReactElement {
  const account = useAccount()
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <FlowMessages chunk={namesMessages}>
      <Choose account={account} />
    </FlowMessages>
  )
}

function Choose({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  useViewStyles(accountCss)
  const latchkey = useLatchkey()
  const t = useFlowMessages(namesMessages)
  const { data: identity } = useIdentity(account.account)
  const { data } = useQuery(namesQuery(latchkey, account.account), queryClientOf(latchkey))
  return (
    <>
      <div className="identity">
        <Avatar address={account.address} identity={identity} />
        <p className="headline">{t.headline}</p>
      </div>
      {data?.suffix !== undefined && <p className="hint center">{t.explain({ suffix: data.suffix })}</p>}
      <p className="hint center">{t.costs}</p>
      <button
        type="button"
        className="button"
        part="primary"
        data-primary=""
        onClick={() => pushView(latchkey, { view: 'RegisterAccountName', params: {} })}
      >
        {t.choose}
      </button>
    </>
  )
}
