import { approvalKey } from '@latchkey/core/money'
import { approvalsMessages } from '@latchkey/modal/messages'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { approvalsQuery } from '../../../../queries/approvalsQuery.ts'
import { queryClientOf } from '../../../../queries/queryClient.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { accountCss } from '../account/account.css.ts'
import { LoadFailed } from '../account/EmptyList.tsx'
import { NotConnected } from '../account/NotConnected.tsx'
import { ApprovalRow } from './ApprovalRow.tsx'
import { approvalsCss } from './approvals.css.ts'

/** The permissions of other addresses to move assets of the account, each with a button that revokes it. */
export default function ApprovalsView(): ReactElement {
  useViewStyles(accountCss + moneyCss + approvalsCss)
  return (
    <FlowMessages chunk={approvalsMessages}>
      <Approvals />
    </FlowMessages>
  )
}

function Approvals(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(approvalsMessages)
  const account = useAccount()
  const address = account.status === 'connected' ? account.address : undefined
  const query = approvalsQuery(latchkey, { address, chainId: account.network?.caipNetworkId })
  const { data, isError, refetch } = useQuery(query, queryClientOf(latchkey))
  const refresh = (): void => void refetch()
  if (address === undefined) return <NotConnected account={account} />
  if (isError) return <LoadFailed title={t.failed} hint={t.failedHint} retry={refresh} />
  if (data === undefined) return <Loading text={t.loading} />
  const { approvals, isComplete } = data
  return (
    <>
      {approvals.length === 0 ? (
        <p className="empty hint" role="status">
          {t.none}
        </p>
      ) : (
        <>
          <p className="hint">{t.intro}</p>
          <ul className="rows approvals">
            {approvals.map((approval) => (
              <ApprovalRow key={approvalKey(approval)} approval={approval} refresh={refresh} />
            ))}
          </ul>
        </>
      )}
      {!isComplete && <p className="hint">{t.incomplete}</p>}
    </>
  )
}

function Loading({ text }: { text: string }): ReactElement {
  return (
    <>
      <p role="status" className="hidden">
        {text}
      </p>
      <ul className="rows">
        <SkeletonRows count={3} />
      </ul>
    </>
  )
}
