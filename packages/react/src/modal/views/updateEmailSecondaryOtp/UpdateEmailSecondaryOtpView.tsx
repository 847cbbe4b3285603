import { pushView, resetView, showToast, type Views } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import type { LoginConnector } from '../../login/loginConnector.ts'
import { LoginView } from '../../login/LoginView.tsx'
import { UpdateCode } from '../../login/UpdateCode.tsx'

/** Asks for the code that went to the new address, and goes back to where it is shown. */
export default function UpdateEmailSecondaryOtpView({ newEmail }: Views['UpdateEmailSecondaryOtp']): ReactElement {
  return <LoginView>{(connector) => <Secondary connector={connector} newEmail={newEmail} />}</LoginView>
}

function Secondary({ connector, newEmail }: { connector: LoginConnector; newEmail: string }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(loginPart)
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
