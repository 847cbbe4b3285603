import { supports } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import type { AccountId } from '@latchkey/protocol'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { namesQuery } from '../../../../queries/namesQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Row } from '../../../parts/index.tsx'

/** A link to the name registration, if names are available and the account has none. */
export function NameRow({ account }: { account: AccountId }): ReactElement | null {
  const latchkey = useLatchkey()
  const { money: t } = useModalMessages()
  const isOffered = supports(latchkey, 'names')
  const { data } = useQuery({ ...namesQuery(latchkey, account), enabled: isOffered }, queryClientOf(latchkey))
  if (!isOffered || data?.suffix === undefined || data.names.length > 0) return null
  return (
    <ul className="rows">
      <Row
        mark={
          <span className="mark" aria-hidden="true">
            <Icon name="plus" />
          </span>
        }
        name={t.registerName}
        sub={<bdi dir="ltr">{data.suffix}</bdi>}
        end="forward"
        onChoose={() => pushView(latchkey, { view: 'ChooseAccountName', params: {} })}
      />
    </ul>
  )
}
