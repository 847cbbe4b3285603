import { disconnect } from '@latchkey/core'
import { showToast } from '@latchkey/modal'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { describeFailure } from '../describeFailure.ts'
import { Icon } from './index.tsx'

/** Disconnects. The modal closes automatically. */
export function DisconnectButton(): ReactElement {
  const latchkey = useLatchkey()
  const strings = useModalMessages()
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
