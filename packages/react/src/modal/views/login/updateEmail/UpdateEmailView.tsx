import { goBack, pushView } from '@latchkey/modal'
import { loginMessages } from '@latchkey/modal/messages'
import { useState, type FormEvent, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { isEmail } from '../../../login/email/correctEmail.ts'
import { describeLogin } from '../../../login/describeLogin.ts'
import { useLoginState, type LoginConnector } from '../../../login/loginConnector.ts'
import { forgetFailure, isOnShow, takeStep, useLoginStep } from '../../../login/loginStep.ts'
import { LoginView } from '../../../login/LoginView.tsx'
import { SocialMark } from '../../../login/social/SocialMark.tsx'
import { useFirstField } from '../../../money/useFirstField.ts'

const view = 'UpdateEmail'

/** Changes the email address of the login. */
export default function UpdateEmailView(): ReactElement {
  return <LoginView>{(connector) => <EmailEditor connector={connector} />}</LoginView>
}

function EmailEditor({ connector }: { connector: LoginConnector }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(loginMessages)
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
      <NewEmailField
        value={typed}
        step={step}
        onChange={(text) => {
          forgetFailure(latchkey)
          setTyped(text)
        }}
      />
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

type NewEmailFieldProps = { value: string; step: ReturnType<typeof useLoginStep>; onChange(text: string): void }

function NewEmailField({ value, step, onChange }: NewEmailFieldProps): ReactElement {
  const strings = useModalMessages()
  const t = useFlowMessages(loginMessages)
  const isWaiting = step.status === 'working'
  return (
    <div className="email">
      <div className="field" part="field">
        <SocialMark of="email" />
        <input
          type="email"
          name="email"
          data-first=""
          aria-label={t.newEmail}
          aria-describedby="login-status"
          value={value}
          readOnly={isWaiting}
          autoComplete="email"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          onChange={({ target }) => onChange(target.value)}
        />
        {isWaiting && <span className="spinner" aria-hidden="true" />}
      </div>
      <p
        id="login-status"
        className="status-text"
        data-tone={step.status === 'failed' ? 'bad' : undefined}
        role="status"
      >
        {step.status === 'failed' && describeLogin(t, strings, step.error)}
        {isWaiting && <span className="hidden">{t.sending}</span>}
      </p>
    </div>
  )
}
