import { showToast } from '@latchkey/core'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useStrings } from '../../strings/useStrings.ts'
import { Icon } from '../parts.tsx'

/** Copies the pairing link; ready as soon as there is one. */
export function CopyLink({ uri }: { uri: string | undefined }): ReactElement {
  const latchkey = useLatchkey()
  const { pairing: t } = useStrings()
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
