import { supports } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import type { AccountId } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { nameOffersQuery, namesQuery } from '../../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Row } from '../../../parts/index.tsx'

/** A link to the name of the account or an offered one, or else to the registration, if names are available. */
export function NameRow({ account }: { account: AccountId }): ReactElement | null {
  const latchkey = useLatchkey()
  const { money: t } = useModalMessages()
  const enabled = supports(latchkey, 'names')
  const queries = queryClientOf(latchkey)
  const { data } = useQuery({ ...namesQuery(latchkey, account), enabled }, queries)
  const { data: offers = [] } = useQuery({ ...nameOffersQuery(latchkey, account), enabled }, queries)
  if (!enabled || data?.suffix === undefined) return null
  const [name] = [...data.names, ...offers]
  return (
    <ul className="rows">
      <Row
        mark={
          <span className="mark" aria-hidden="true">
            <Icon name={name === undefined ? 'plus' : 'check'} />
          </span>
        }
        name={name === undefined ? t.registerName : t.name}
        sub={<bdi dir="ltr">{name ?? data.suffix}</bdi>}
        end="forward"
        onChoose={() =>
          pushView(latchkey, { view: name === undefined ? 'ChooseAccountName' : 'ManageAccountName', params: {} })
        }
      />
    </ul>
  )
}
