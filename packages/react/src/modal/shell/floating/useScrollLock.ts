import { useLayoutEffect } from 'react'
import { adoptStyles } from '../../../styles/useStyles.ts'

/**
 * Prevents the page from scrolling under the modal. The backdrop also covers the place of the page's scrollbar, so padding
 * replaces the scrollbar and the page does not shift. Other modals may lock and unlock the page in the meantime, so no
 * inline style is changed that would have to be restored.
 */
export function useScrollLock(locked: boolean): void {
  useLayoutEffect(() => {
    if (!locked) return
    const { documentElement: page } = document
    const before = page.getBoundingClientRect()
    const unlock = adoptStyles(document, 'html{overflow:hidden!important;scrollbar-gutter:auto!important}')
    const after = page.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(page)
    // The browser decides on which side the scrollbar is.
    const left = parseFloat(paddingLeft) + before.left - after.left
    const right = parseFloat(paddingRight) + after.right - before.right
    const unpad = adoptStyles(document, `html{padding-left:${left}px!important;padding-right:${right}px!important}`)
    return () => {
      unlock()
      unpad()
    }
  }, [locked])
}
