import { formatAmount, shortenAddress } from '@latchkey/core'
import type { Approval } from '@latchkey/core/money'
import { revokeWithNotices } from '@latchkey/modal'
import { approvalsMessages, type ApprovalsMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { Mark } from '../../../parts/index.tsx'

type Step = 'idle' | 'asking' | 'sent'

/** An approval: the asset, the amount, who may move it, and the button that revokes it. */
export function ApprovalRow({ approval, refresh }: { approval: Approval; refresh(): void }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(approvalsMessages)
  const { locale } = useLatchkeyContext()
  const account = useAccount()
  const [step, setStep] = useState<Step>('idle')
  const [problem, setProblem] = useState<string>()
  const spender = shortenAddress(approval.spender)
  const revoke = async (): Promise<void> => {
    if (step !== 'idle') return
    setStep('asking')
    setProblem(undefined)
    setProblem(await revokeWithNotices(latchkey, approval, { messages: t, onSent: () => setStep('sent') }))
    setStep('idle')
    refresh()
  }
  const wallet = account.status === 'connected' ? account.wallet.name : ''
  return (
    <li className="approval" part="row">
      <div className="row holding">
        <Mark name={approval.name} />
        <span className="text">
          <span className="name">{approval.name}</span>
          <span className="sub">{scopeOf(approval, t, locale)}</span>
          {approval.kind === 'permit2' && <span className="sub">{permit2Text(approval.expiresAt, t, locale)}</span>}
          <span className="sub">
            <Spender approval={approval} text={t.spender({ spender })} />
          </span>
        </span>
        <button
          type="button"
          className="button approval-revoke"
          aria-label={step === 'idle' ? t.revokeOf({ name: approval.name, spender }) : undefined}
          aria-disabled={step !== 'idle'}
          onClick={() => void revoke()}
        >
          {step === 'idle' ? t.revoke : step === 'asking' ? t.approveIn({ wallet }) : t.revoking}
        </button>
      </div>
      <div role="alert">{problem !== undefined && <p className="warning">{problem}</p>}</div>
    </li>
  )
}

/** The shortened address of the spender, with a link to a block explorer if there is one. */
function Spender({ approval: { chainId, spender }, text }: { approval: Approval; text: string }): ReactElement {
  const { adapters, networks } = useLatchkey()
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chainId)
  const adapter = adapters.find(({ namespace }) => namespace === network?.chainNamespace)
  const explorer = network === undefined ? undefined : adapter?.explorerUrl(network, { address: spender })
  if (explorer === undefined) return <span title={spender}>{text}</span>
  return (
    <a href={explorer} title={spender} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}

function scopeOf(approval: Approval, t: ApprovalsMessages, locale: string | undefined): string {
  switch (approval.kind) {
    case 'collection':
      return t.allNfts
    case 'nft':
      return t.oneNft({ id: String(approval.tokenId).slice(0, 12) })
    case 'token':
    case 'permit2': {
      const { amount, decimals, isUnlimited, symbol } = approval
      return isUnlimited
        ? t.unlimited({ symbol })
        : t.amount({ amount: decimalText(locale, formatAmount(amount, decimals)), symbol })
    }
  }
}

/** An end after the year 9999 is none: the highest of Permit2 is no valid date. */
function permit2Text(expiresAt: number, t: ApprovalsMessages, locale: string | undefined): string {
  if (expiresAt > 253_402_300_799_000) return t.permit2
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(expiresAt)
  return t.permit2Until({ date })
}
