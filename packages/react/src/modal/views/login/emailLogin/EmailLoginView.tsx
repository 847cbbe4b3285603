import { resetView } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useConnections } from '../../../../hooks/useConnections.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { EmailForm } from '../../../login/email/EmailForm.tsx'
import type { LoginConnector } from '../../../login/loginConnector.ts'
import { useLoginStep } from '../../../login/loginStep.ts'
import { LoginView } from '../../../login/LoginView.tsx'
import { useFirstField } from '../../../money/useFirstField.ts'
import { useAgreement } from '../../connecting/connect/useAgreement.ts'
import { LegalBox, LegalFooter } from '../../connecting/connect/Legal.tsx'
import { inertIf } from '../../../parts/inertIf.ts'

/** Logs in by email. */
export default function EmailLoginView(): ReactElement {
  return <LoginView>{(connector) => <Entry connector={connector} />}</LoginView>
}

function Entry({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  const { pending } = useAgreement()
  const isThere = useConnections().some(({ connectorId }) => connectorId === connector.id)
  const isOpening = useLoginStep('EmailLogin').status === 'working'
  useFirstField()
  if (isThere && !isOpening) {
    return (
      <>
        <p className="hint center">{t.alreadyLoggedIn}</p>
        <button
          type="button"
          className="button"
          data-primary=""
          part="primary"
          onClick={() => resetView(latchkey, { view: 'Account', params: {} })}
        >
          {t.toAccount}
        </button>
      </>
    )
  }
  return (
    <>
      <LegalBox />
      <div className="choices" {...inertIf(pending)}>
        <p className="hint center">{t.emailHint}</p>
        <EmailForm connector={connector} view="EmailLogin" first />
      </div>
      <LegalFooter />
    </>
  )
}
