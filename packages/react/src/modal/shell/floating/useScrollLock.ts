import { useLayoutEffect } from 'react'

/**
 * Prevents the page from scrolling under the modal. The backdrop also covers the place of the page's scrollbar, so padding
 * replaces the scrollbar and the page does not shift.
 */
export function useScrollLock(locked: boolean): void {
  useLayoutEffect(() => {
    if (!locked) return
    const { documentElement: page } = document
    const { style } = page
    const { overflow, scrollbarGutter, paddingLeft, paddingRight } = style
    const before = page.getBoundingClientRect()
    const padding = getComputedStyle(page)
    Object.assign(style, { overflow: 'hidden', scrollbarGutter: 'auto' })
    const after = page.getBoundingClientRect()
    // The browser decides on which side the scrollbar is.
    style.paddingLeft = `calc(${padding.paddingLeft} + ${before.left - after.left}px)`
    style.paddingRight = `calc(${padding.paddingRight} + ${after.right - before.right}px)`
    return () => void Object.assign(style, { overflow, scrollbarGutter, paddingLeft, paddingRight })
  }, [locked])
}
