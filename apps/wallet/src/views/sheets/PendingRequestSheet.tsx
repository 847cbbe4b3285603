import { useState } from 'react'
import type { Account } from '../../namespaces/namespaceAdapter.ts'
import { approve } from '../../wallet/approve.ts'
import { reject } from '../../wallet/reject.ts'
import { getSelectedAccount, type DeveloperWallet, type PendingRequest } from '../../wallet/developerWallet.ts'
import { listSignInMessages } from '../../wallet/signInMessage.ts'
import { Sheet } from '../components/Sheet.tsx'
import { useWallet, useWalletState } from '../useStore.ts'
import { ProposalContent } from './ProposalContent.tsx'
import { RequestContent } from './RequestContent.tsx'
import { requestTitle } from './requestTitle.ts'
import { useClickGuard } from './useClickGuard.ts'

/** Shows the pending requests one at a time. A request that the user puts away stays reachable. */
export function PendingRequestSheet() {
  const { pendingRequests } = useWalletState()
  const [putAway, setPutAway] = useState<string>()
  const [last, setLast] = useState<PendingRequest>()
  const [current] = pendingRequests
  // The last request stays visible while its sheet closes.
  if (current !== undefined && current !== last) setLast(current)
  const pending = current ?? last
  const isReady = useClickGuard(current?.key)
  const choices = useProposalChoices(pending)
  if (pending === undefined) return null
  return (
    <>
      {current !== undefined && putAway === current.key && (
        <PutAwayRequest app={current.app.name} onReview={() => setPutAway(undefined)} />
      )}
      <Sheet
        isOpen={current !== undefined && putAway !== current.key}
        title={requestTitle(pending)}
        contentKey={pending.key}
        onClose={() => setPutAway(current?.key)}
        footer={
          <DecisionButtons pending={pending} count={pendingRequests.length} isReady={isReady} choices={choices} />
        }
      >
        <PendingContent pending={pending} choices={choices} />
      </Sheet>
    </>
  )
}

function PutAwayRequest({ app, onReview }: { app: string; onReview(): void }) {
  return (
    <section className="waiting" aria-label="Waiting">
      <p>
        <bdi>{app}</bdi> is waiting for your decision.
      </p>
      <button type="button" className="quiet-button" onClick={onReview}>
        Review
      </button>
    </section>
  )
}

type ProposalChoices = {
  accounts: readonly Account[]
  signsIn: boolean
  setAccounts(accounts: readonly Account[]): void
  setSignsIn(signsIn: boolean): void
}

/** Holds the user's choices for a session proposal until the next request appears. */
function useProposalChoices(pending: PendingRequest | undefined): ProposalChoices {
  const wallet = useWallet()
  const [shared, setShared] = useState<{ key: string; accounts: readonly Account[] }>()
  const [declined, setDeclined] = useState<string>()
  const key = pending?.key ?? ''
  return {
    accounts: shared?.key === key ? shared.accounts : defaultAccounts(wallet, pending),
    signsIn: declined !== key,
    setAccounts: (accounts) => setShared({ key, accounts }),
    setSignsIn: (signsIn) => setDeclined(signsIn ? undefined : key),
  }
}

type DecisionButtonsProps = { pending: PendingRequest; count: number; isReady: boolean; choices: ProposalChoices }

function DecisionButtons({ pending, count, isReady, choices: { accounts, signsIn } }: DecisionButtonsProps) {
  const wallet = useWallet()
  const canApprove = pending.kind === 'request' || (pending.support.obstacle === undefined && accounts.length > 0)
  const isDisabled = pending.isResponding || !isReady
  return (
    <>
      {count > 1 && <p className="count">1 of {count} waiting</p>}
      <button
        type="button"
        className="secondary"
        disabled={isDisabled}
        onClick={() => void reject(wallet, pending.key)}
      >
        Reject
      </button>
      <button
        type="button"
        className="primary"
        disabled={isDisabled || !canApprove}
        onClick={() => void approve(wallet, pending.key, { accounts, signsIn })}
      >
        {pending.isResponding ? 'Responding…' : 'Approve'}
      </button>
    </>
  )
}

function PendingContent({ pending, choices }: { pending: PendingRequest; choices: ProposalChoices }) {
  const wallet = useWallet()
  const { app, origin } = pending
  if (pending.kind === 'request') {
    return <RequestContent app={app} origin={origin} network={pending.network} decoded={pending.decoded} />
  }
  return (
    <ProposalContent
      app={app}
      origin={origin}
      support={pending.support}
      chosen={choices.accounts}
      onChoose={choices.setAccounts}
      texts={listSignInMessages(pending, choices.accounts, wallet)}
      signsIn={choices.signsIn}
      onSignIn={choices.setSignsIn}
    />
  )
}

function defaultAccounts(wallet: DeveloperWallet, pending: PendingRequest | undefined): readonly Account[] {
  if (pending?.kind !== 'proposal') return []
  const selected = wallet.adapters.map((adapter) => getSelectedAccount(wallet, adapter))
  return selected.filter((account) => pending.support.accounts.includes(account))
}
