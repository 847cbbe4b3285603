import { showToast } from '@latchkey/modal'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useSignIn } from '../../../../hooks/actions/useSignIn.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { describeFailure } from '../../../describeFailure.ts'
import { Icon } from '../../../parts/index.tsx'

/** Shows that the user is signed in, with a button that signs out. Renders nothing without a sign-in. */
export function SignedIn(): ReactElement | null {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
  const { accountSettings: t } = strings
  const { state, signOut } = useSignIn()
  const [isLeaving, setIsLeaving] = useState(false)
  if (state.status !== 'signed') return null
  const leave = async (): Promise<void> => {
    setIsLeaving(true)
    try {
      await signOut()
      showToast(latchkey, t.signedOut)
    } catch (error) {
      showToast(latchkey, describeFailure(strings, error), { variant: 'error' })
    }
    setIsLeaving(false)
  }
  return (
    <div className="row wallet-row" part="row">
      <span className="mark" aria-hidden="true">
        <Icon name="key" />
      </span>
      <span className="text">
        <span className="name whole">{t.signedIn}</span>
      </span>
      <button type="button" className="chip" aria-disabled={isLeaving} onClick={() => void (isLeaving || leave())}>
        {t.signOut}
      </button>
    </div>
  )
}
