import { supports, type AccountState } from '@latchkey/core'
import { namesMessages } from '@latchkey/modal/messages'
import type { AccountId } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { namesQuery } from '../../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { describeFailure } from '../../../describeFailure.ts'
import { SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { NotConnected } from '../../account/account/NotConnected.tsx'
import { NameForm } from './NameForm.tsx'
import { namesCss } from './names.css.ts'

/** Chooses a name and registers it for the account. */
export default function RegisterAccountNameView(): ReactElement {
  const account = useAccount()
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <FlowMessages chunk={namesMessages}>
      <Register account={account} />
    </FlowMessages>
  )
}

function Register({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  useViewStyles(namesCss)
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const t = useFlowMessages(namesMessages)
  const [filling, setFilling] = useState<AccountId>()
  const isOffered = supports(latchkey, 'names')
  const { data, error, refetch } = useQuery(
    { ...namesQuery(latchkey, account.account), enabled: isOffered },
    queryClientOf(latchkey),
  )
  const [owned] = data?.names ?? []
  if (!isOffered || (data !== undefined && data.suffix === undefined)) return <Notice text={t.unsupported} />
  const canFill = data?.suffix !== undefined && owned === undefined
  // The form stays after the registration, because it is about to slide out.
  if (canFill && filling !== account.account) setFilling(account.account)
  if (owned !== undefined && filling !== account.account) return <Notice text={t.owned({ name: owned })} />
  if (data?.suffix !== undefined) return <NameForm key={account.account} account={account} suffix={data.suffix} />
  if (error === null) {
    return (
      <ul className="rows">
        <SkeletonRows count={2} />
      </ul>
    )
  }
  return (
    <>
      <Notice text={describeFailure(strings, error)} />
      <button type="button" className="button" onClick={() => void refetch()}>
        {t.retry}
      </button>
    </>
  )
}

function Notice({ text }: { text: string }): ReactElement {
  return (
    <p className="hint center" role="status">
      {text}
    </p>
  )
}
