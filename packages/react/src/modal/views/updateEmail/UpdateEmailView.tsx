import { goBack, pushView } from '@latchkey/core'
import { useState, type FormEvent, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { loginPart } from '../../../strings/login/texts.ts'
import { usePart } from '../../../strings/part.tsx'
import { useStrings } from '../../../strings/useStrings.ts'
import { isEmail } from '../../login/addresses.ts'
import { describeLogin } from '../../login/describeLogin.ts'
import { useLoginState, type LoginConnector } from '../../login/loginConnector.ts'
import { forgetFailure, isOnShow, takeStep, useLoginStep } from '../../login/loginStep.ts'
import { LoginView } from '../../login/LoginView.tsx'
import { SocialMark } from '../../login/SocialMark.tsx'
import { useFirstField } from '../../money/useFirstField.ts'

const view = 'UpdateEmail'

/** Another address for the account. */
export default function UpdateEmailView(): ReactElement {
  return <LoginView>{(connector) => <Edit connector={connector} />}</LoginView>
}

function Edit({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const t = usePart(loginPart)
  const { user } = useLoginState(connector.login)
  const [typed, setTyped] = useState(user?.email ?? '')
  const step = useLoginStep(view)
  useFirstField()
  const newEmail = typed.trim()
  const isWaiting = step.status === 'working'
  const canSave = isEmail(newEmail) && newEmail !== user?.email && !isWaiting
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (!canSave) return
    void takeStep(latchkey, connector, view, async () => {
      const { action } = await connector.login.updateEmail(newEmail)
      const next = action === 'VERIFY_PRIMARY_OTP' ? 'UpdateEmailPrimaryOtp' : 'UpdateEmailSecondaryOtp'
      if (isOnShow(latchkey, view)) pushView(latchkey, { view: next, params: { newEmail } })
      return false
    })
  }
  return (
    <form className="login" noValidate onSubmit={save}>
      <p className="hint center">{t.editHint}</p>
      <div className="email">
        <div className="field" part="field">
          <SocialMark of="email" />
          <input
            type="email"
            name="email"
            data-first=""
            aria-label={t.newEmail}
            aria-describedby="login-told"
            value={typed}
            readOnly={isWaiting}
            autoComplete="email"
            autoCapitalize="off"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            onChange={({ target }) => {
              forgetFailure(latchkey)
              setTyped(target.value)
            }}
          />
          {isWaiting && <span className="spinner" aria-hidden="true" />}
        </div>
        <p id="login-told" className="told" data-tone={step.status === 'failed' ? 'bad' : undefined} role="status">
          {step.status === 'failed' && describeLogin(t, strings, step.error)}
          {isWaiting && <span className="hidden">{t.sending}</span>}
        </p>
      </div>
      <div className="buttons">
        <button type="button" className="button" onClick={() => goBack(latchkey)}>
          {t.cancel}
        </button>
        <button type="submit" className="button" data-primary="" part="primary" aria-disabled={!canSave}>
          {t.save}
        </button>
      </div>
    </form>
  )
}
