import { internalsOf } from '@latchkey/core/internal'
import { reportSpam } from '@latchkey/core/money'
import { showToast } from '@latchkey/modal'
import { tokensMessages } from '@latchkey/modal/messages'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { FlowMessages } from '../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../messages/useFlowMessages.ts'

type ReportSpamProps = {
  /** The CAIP-10 id of the contract. */
  id: string
  name: string
}

/** Reports a token or an NFT to the server as spam, after a confirmation. Renders nothing without a server. */
export function ReportSpam(props: ReportSpamProps): ReactElement | null {
  const { settings } = internalsOf(useLatchkey())
  if (settings.server === undefined) return null
  return (
    <FlowMessages chunk={tokensMessages} placeholder={<span />}>
      <Report {...props} />
    </FlowMessages>
  )
}

function Report({ id, name }: ReportSpamProps): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(tokensMessages)
  const [step, setStep] = useState<'idle' | 'asking' | 'sending' | 'done'>('idle')
  const send = async (): Promise<void> => {
    if (step !== 'asking') return
    setStep('sending')
    try {
      await reportSpam(latchkey, id)
      setStep('done')
    } catch {
      setStep('asking')
      showToast(latchkey, t.reportFailed, { variant: 'error' })
    }
  }
  if (step === 'idle') {
    return (
      <button
        type="button"
        className="button"
        data-quiet=""
        aria-label={t.reportOf({ name })}
        onClick={() => setStep('asking')}
      >
        {t.report}
      </button>
    )
  }
  if (step === 'done') {
    return (
      <p className="hint" role="status">
        {t.reportDone}
      </p>
    )
  }
  return (
    <div className="report" role="group" aria-label={t.reportOf({ name })}>
      <p className="hint">{t.reportPrompt({ name })}</p>
      <div className="buttons">
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that had the focus */}
        <button type="button" className="button" autoFocus onClick={() => setStep('idle')}>
          {t.reportCancel}
        </button>
        <button
          type="button"
          className="button"
          data-primary=""
          aria-disabled={step === 'sending'}
          onClick={() => void send()}
        >
          {t.reportConfirm}
        </button>
      </div>
    </div>
  )
}
