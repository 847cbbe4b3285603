import { pushView, type AccountState } from '@latchkey/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useIdentity } from '../../../hooks/useIdentity.ts'
import { namesQuery } from '../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../queries/queryClient.ts'
import { namesPart } from '../../../strings/names/texts.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { accountCss } from '../account/account.css.ts'
import { Avatar } from '../account/Avatar.tsx'

/** What a name is good for, and the way to one. */
export default function ChooseAccountNameView(): ReactElement | null {
  const account = useAccount()
  if (account.status !== 'connected') return null
  return (
    <Spoken part={namesPart}>
      <Choose account={account} />
    </Spoken>
  )
}

function Choose({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  useViewStyles(accountCss)
  const latchkey = useLatchkey()
  const t = usePart(namesPart)
  const { data: identity } = useIdentity(account.account)
  const { data } = useQuery(namesQuery(latchkey, account.account), queryClientOf(latchkey))
  return (
    <>
      <div className="identity">
        <Avatar address={account.address} identity={identity} />
        <p className="headline">{t.headline}</p>
      </div>
      {data?.suffix !== undefined && <p className="hint center">{t.explain(data.suffix)}</p>}
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
