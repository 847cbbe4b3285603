import { internalsOf } from '@latchkey/core/internal'
import { useEffect, type RefObject } from 'react'
import { useLatchkey } from '../../../context.ts'
import { runWhenIdle } from '../../runWhenIdle.ts'

/** Lays out a prepared dialog while the page is idle, so that its fonts are loaded and its texts are shaped when it opens. */
export function useLayoutAtIdle(dialog: RefObject<HTMLDialogElement | null>, isPrepared: boolean): void {
  const { clock } = internalsOf(useLatchkey())
  useEffect(() => {
    if (isPrepared) return runWhenIdle(clock, () => dialog.current !== null && layOutClosed(dialog.current))
  }, [clock, dialog, isPrepared])
}

/** Lays out a closed dialog. No frame shows it. */
function layOutClosed(dialog: HTMLDialogElement): void {
  if (dialog.open) return
  const { style } = dialog
  // Without transitions: they would keep the dialog displayed after this function.
  Object.assign(style, { display: 'grid', visibility: 'hidden', transition: 'none' })
  dialog.getBoundingClientRect()
  style.display = 'none'
  dialog.getBoundingClientRect()
  Object.assign(style, { display: '', visibility: '', transition: '' })
}
