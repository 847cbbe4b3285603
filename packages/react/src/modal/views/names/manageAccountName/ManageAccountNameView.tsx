import type { AccountState } from '@latchkey/core'
import { acceptName, renewName } from '@latchkey/core/money'
import { namesMessages } from '@latchkey/modal/messages'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { nameExpiryQuery, nameOffersQuery, namesQuery } from '../../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { NotConnected } from '../../account/account/NotConnected.tsx'
import { namesCss } from '../registerAccountName/names.css.ts'
import { GiveAway } from './GiveAway.tsx'
import { GiveUp } from './GiveUp.tsx'
import { useNameAction, type NameAction } from './useNameAction.ts'

/** The name of the account: renews it, gives it away or up, and accepts a name that is offered. */
export default function ManageAccountNameView(): ReactElement {
  const account = useAccount()
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <FlowMessages chunk={namesMessages}>
      <Manage account={account} />
    </FlowMessages>
  )
}

function Manage({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  useViewStyles(namesCss)
  const latchkey = useLatchkey()
  const { manage: t, approve } = useFlowMessages(namesMessages)
  const queries = queryClientOf(latchkey)
  const { data } = useQuery(namesQuery(latchkey, account.account), queries)
  const { data: offers = [] } = useQuery(nameOffersQuery(latchkey, account.account), queries)
  const wallet = account.wallet.name
  const action = useNameAction(account.account, wallet)
  const [name] = data?.names ?? []
  return (
    <>
      {name !== undefined && <OwnName key={name} name={name} action={action} />}
      {name === undefined && data !== undefined && offers.length === 0 && <p className="hint center">{t.none}</p>}
      {offers.map((offered) => (
        <div key={offered} className="name-form">
          <p className="hint center">{t.incoming({ name: offered })}</p>
          <button
            type="button"
            className="button"
            aria-disabled={action.pending !== undefined}
            onClick={() =>
              action.run(`accept ${offered}`, async () => {
                await acceptName(latchkey, offered)
                return t.accepted({ name: offered })
              })
            }
          >
            {t.accept({ name: offered })}
          </button>
        </div>
      ))}
      <p className="name-told" role="status" data-tone={action.failure === undefined ? undefined : 'bad'}>
        {action.pending === undefined ? action.failure : approve({ wallet })}
      </p>
    </>
  )
}

function OwnName({ name, action }: { name: string; action: NameAction }): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const { manage: t } = useFlowMessages(namesMessages)
  const { data: expiry } = useQuery(nameExpiryQuery(latchkey, name), queryClientOf(latchkey))
  const dateOf = (at: number): string => new Intl.DateTimeFormat(locale, { dateStyle: 'long' }).format(at)
  return (
    <>
      <p className="headline center name-owned">
        <bdi dir="ltr">{name}</bdi>
      </p>
      {typeof expiry === 'number' && <p className="hint center">{t.expires({ date: dateOf(expiry) })}</p>}
      <button
        type="button"
        className="button"
        part="primary"
        data-primary=""
        aria-disabled={action.pending !== undefined}
        onClick={() => action.run('renew', async () => t.renewed({ date: dateOf(await renewName(latchkey, name)) }))}
      >
        {t.renew}
      </button>
      <GiveAway name={name} action={action} />
      <GiveUp name={name} action={action} />
    </>
  )
}
