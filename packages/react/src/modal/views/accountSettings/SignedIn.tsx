import { showToast } from '@latchkey/core'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useSignIn } from '../../../hooks/useSignIn.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { describeFailure } from '../../describeFailure.ts'
import { Icon } from '../../parts.tsx'

/** That the app knows whose account it is, and how to make it forget. Nothing where it was not asked. */
export function SignedIn(): ReactElement | null {
  const latchkey = useLatchkey()
  const strings = useStrings()
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
