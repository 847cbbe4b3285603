import { useState } from 'react'
import type { Account } from '../../families/family.ts'
import { approve, reject } from '../../wallet/answer.ts'
import type { Ask, DeveloperWallet } from '../../wallet/developerWallet.ts'
import { selectedAccount } from '../../wallet/developerWallet.ts'
import { signInTexts } from '../../wallet/signIn.ts'
import { Sheet } from '../parts/Sheet.tsx'
import { useWallet, useWalletState } from '../useStore.ts'
import { ProposalContent } from './ProposalContent.tsx'
import { RequestContent } from './RequestContent.tsx'
import { questionTitle } from './questionTitle.ts'
import { useArmed } from './useArmed.ts'

/** What waits for the owner, one after the other. Put away, it leaves a way back to itself. */
export function AskSheet() {
  const wallet = useWallet()
  const { asks } = useWalletState()
  const [putAway, setPutAway] = useState<string>()
  const [shared, setShared] = useState<{ key: string; accounts: readonly Account[] }>()
  const [declined, setDeclined] = useState<string>()
  const [last, setLast] = useState<Ask>()
  const [current] = asks
  // The answered one stays in view while its sheet slides away.
  if (current !== undefined && current !== last) setLast(current)
  const ask = current ?? last
  const isArmed = useArmed(current?.key)
  if (ask === undefined) return null

  const chosen = shared?.key === ask.key ? shared.accounts : defaultAccounts(wallet, ask)
  const canApprove = ask.kind === 'request' || (ask.offer.obstacle === undefined && chosen.length > 0)
  const isBusy = ask.isAnswering || !isArmed
  return (
    <>
      {current !== undefined && putAway === current.key && (
        <section className="waiting" aria-label="Waiting">
          <p>
            <bdi>{current.app.name}</bdi> waits for an answer.
          </p>
          <button type="button" className="quiet-button" onClick={() => setPutAway(undefined)}>
            Review
          </button>
        </section>
      )}
      <Sheet
        isOpen={current !== undefined && putAway !== current.key}
        title={questionTitle(ask)}
        contentKey={ask.key}
        onClose={() => setPutAway(current?.key)}
        footer={
          <>
            {asks.length > 1 && <p className="count">1 of {asks.length} waiting</p>}
            <button type="button" className="secondary" disabled={isBusy} onClick={() => void reject(wallet, ask.key)}>
              Reject
            </button>
            <button
              type="button"
              className="primary"
              disabled={isBusy || !canApprove}
              onClick={() => void approve(wallet, ask.key, { accounts: chosen, signsIn: declined !== ask.key })}
            >
              {ask.isAnswering ? 'Answering…' : 'Approve'}
            </button>
          </>
        }
      >
        {ask.kind === 'proposal' ? (
          <ProposalContent
            app={ask.app}
            origin={ask.origin}
            offer={ask.offer}
            chosen={chosen}
            onChoose={(accounts) => setShared({ key: ask.key, accounts })}
            texts={signInTexts(ask, chosen, wallet)}
            signsIn={declined !== ask.key}
            onSignIn={(signsIn) => setDeclined(signsIn ? undefined : ask.key)}
          />
        ) : (
          <RequestContent app={ask.app} origin={ask.origin} network={ask.network} question={ask.question} />
        )}
      </Sheet>
    </>
  )
}

function defaultAccounts(wallet: DeveloperWallet, ask: Ask): readonly Account[] {
  if (ask.kind === 'request') return []
  const selected = wallet.families.map((family) => selectedAccount(wallet, family))
  return selected.filter((account) => ask.offer.accounts.includes(account))
}
