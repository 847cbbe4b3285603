import { pushView, resetView, showToast, type Views } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import type { LoginConnector } from '../../../login/loginConnector.ts'
import { LoginView } from '../../../login/LoginView.tsx'
import { UpdateCode } from '../../../login/email/UpdateCode.tsx'

/** Asks for the code that was sent to the new address, and returns to the settings. */
export default function UpdateEmailSecondaryOtpView({ newEmail }: Views['UpdateEmailSecondaryOtp']): ReactElement {
  return <LoginView>{(connector) => <Secondary connector={connector} newEmail={newEmail} />}</LoginView>
}

function Secondary({ connector, newEmail }: { connector: LoginConnector; newEmail: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
  return (
    <UpdateCode
      connector={connector}
      view="UpdateEmailSecondaryOtp"
      email={newEmail}
      check={async (code, signal) => {
        await connector.login.updateEmailSecondary(code)
        showToast(latchkey, t.emailChanged)
        if (signal.aborted) return
        resetView(latchkey, { view: 'Account', params: {} })
        pushView(latchkey, { view: 'AccountSettings', params: {} })
      }}
    />
  )
}
