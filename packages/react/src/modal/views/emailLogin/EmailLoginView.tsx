import { resetView } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useConnections } from '../../../hooks/useConnections.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { EmailForm } from '../../login/EmailForm.tsx'
import type { LoginConnector } from '../../login/loginConnector.ts'
import { useLoginStep } from '../../login/loginStep.ts'
import { LoginView } from '../../login/LoginView.tsx'
import { useFirstField } from '../../money/useFirstField.ts'
import { useAgreement } from '../connect/legal.ts'
import { LegalBox, LegalFooter } from '../connect/Legal.tsx'

/** The e-mail entry alone. */
export default function EmailLoginView(): ReactElement {
  return <LoginView>{(connector) => <Entry connector={connector} />}</LoginView>
}

function Entry({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
  const { pending } = useAgreement()
  const isThere = useConnections().some(({ connectorId }) => connectorId === connector.id)
  const isOpening = useLoginStep('EmailLogin').status === 'working'
  useFirstField()
  if (isThere && !isOpening) {
    return (
      <>
        <p className="hint center">{t.already}</p>
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
      <div className="ways" inert={pending}>
        <p className="hint center">{t.emailHint}</p>
        <EmailForm connector={connector} view="EmailLogin" first />
      </div>
      <LegalFooter />
    </>
  )
}
