import { replaceView, type Views } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useLoginState, type LoginConnector } from '../../../login/loginConnector.ts'
import { LoginView } from '../../../login/LoginView.tsx'
import { UpdateCode } from '../../../login/email/UpdateCode.tsx'

/** Asks for the code that was sent to the current address. */
export default function UpdateEmailPrimaryOtpView({ newEmail }: Views['UpdateEmailPrimaryOtp']): ReactElement {
  return <LoginView>{(connector) => <Primary connector={connector} newEmail={newEmail} />}</LoginView>
}

function Primary({ connector, newEmail }: { connector: LoginConnector; newEmail: string }): ReactElement {
  const latchkey = useLatchkey()
  const { user } = useLoginState(connector.login)
  return (
    <UpdateCode
      connector={connector}
      view="UpdateEmailPrimaryOtp"
      email={user?.email ?? ''}
      check={async (code, signal) => {
        await connector.login.updateEmailPrimary(code)
        if (!signal.aborted) replaceView(latchkey, { view: 'UpdateEmailSecondaryOtp', params: { newEmail } })
      }}
    />
  )
}
