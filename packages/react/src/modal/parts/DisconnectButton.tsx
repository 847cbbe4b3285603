import { disconnect, showToast } from '@latchkey/core'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStrings } from '../../strings/useStrings.ts'
import { describeFailure } from '../describeFailure.ts'
import { Icon } from '../parts.tsx'

/** Ends the connection; the modal closes by itself. */
export function DisconnectButton(): ReactElement {
  const latchkey = useLatchkey()
  const strings = useStrings()
  const { account: t } = strings
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = async (): Promise<void> => {
    setIsLeaving(true)
    try {
      await disconnect(latchkey)
    } catch (error) {
      showToast(latchkey, describeFailure(strings, error), { variant: 'error' })
    }
  }
  return (
    <button
      type="button"
      className="button"
      part="disconnect"
      aria-disabled={isLeaving}
      onClick={() => void (isLeaving || leave())}
    >
      <Icon name="exit" />
      {isLeaving ? t.disconnecting : t.disconnect}
    </button>
  )
}
