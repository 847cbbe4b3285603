import type { AccountState } from '@latchkey/core'
import { resetView } from '@latchkey/modal'
import { namesMessages } from '@latchkey/modal/messages'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { namesQuery } from '../../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { Icon } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { NotConnected } from '../../account/account/NotConnected.tsx'
import { namesCss } from '../registerAccountName/names.css.ts'

/** Shown once the account has a name. */
export default function RegisterAccountNameSuccessView(): ReactElement {
  const account = useAccount()
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <FlowMessages chunk={namesMessages}>
      <Named account={account} />
    </FlowMessages>
  )
}

function Named({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  useViewStyles(namesCss)
  const latchkey = useLatchkey()
  const t = useFlowMessages(namesMessages)
  const { data } = useQuery(namesQuery(latchkey, account.account), queryClientOf(latchkey))
  return (
    <>
      <div className="center" role="status">
        <span className="name-mark" aria-hidden="true">
          <Icon name="check" size={32} />
        </span>
        <p className="headline name-owned">
          <bdi dir="ltr">{data?.names[0]}</bdi>
        </p>
        <p className="hint">{t.yours}</p>
      </div>
      <button
        type="button"
        className="button"
        part="primary"
        data-primary=""
        onClick={() => resetView(latchkey, { view: 'Account', params: {} })}
      >
        {t.done}
      </button>
    </>
  )
}
