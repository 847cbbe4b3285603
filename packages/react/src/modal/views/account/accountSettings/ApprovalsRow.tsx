import { pushView } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Row } from '../../../parts/index.tsx'

/** A link to the approvals of the account, in namespaces that have some. */
export function ApprovalsRow(): ReactElement | null {
  const latchkey = useLatchkey()
  const { accountSettings: t } = useModalMessages()
  const { network } = useAccount()
  const adapter = latchkey.adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  if (adapter?.approvals === undefined) return null
  return (
    <ul className="rows">
      <Row
        mark={
          <span className="mark" aria-hidden="true">
            <Icon name="key" />
          </span>
        }
        name={t.approvals}
        sub={t.approvalsHint}
        end="forward"
        onChoose={() => pushView(latchkey, { view: 'Approvals', params: {} })}
      />
    </ul>
  )
}
