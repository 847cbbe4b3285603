import { showToast } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { Icon } from '../parts/index.tsx'

/** A button that copies the pairing URI, once there is one. */
export function CopyLink({ uri }: { uri: string | undefined }): ReactElement {
  const latchkey = useLatchkey()
  const { pairing: t } = useModalMessages()
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      showToast(latchkey, t.copied)
    } catch {
      showToast(latchkey, t.copyFailed, { variant: 'error' })
    }
  }
  return (
    <button
      type="button"
      className="button"
      aria-disabled={uri === undefined}
      onClick={() => uri !== undefined && void copy(uri)}
    >
      <Icon name="copy" />
      {t.copyLink}
    </button>
  )
}
