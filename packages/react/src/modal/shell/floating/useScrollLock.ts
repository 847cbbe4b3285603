import { useLayoutEffect } from 'react'

/**
 * Prevents the page from scrolling under the modal. The backdrop also covers the place of the page's scrollbar, so padding
 * replaces the scrollbar and the page does not shift. The styles are a sheet of their own, because other modals may lock and
 * unlock the page in the meantime, in any order.
 */
export function useScrollLock(locked: boolean): void {
  useLayoutEffect(() => {
    if (!locked) return
    const { documentElement: page } = document
    const sheet = new CSSStyleSheet()
    const lock = (padding = ''): void =>
      sheet.replaceSync(`html{overflow:hidden!important;scrollbar-gutter:auto!important;${padding}}`)
    const before = page.getBoundingClientRect()
    lock()
    document.adoptedStyleSheets.push(sheet)
    const after = page.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(page)
    // The browser decides on which side the scrollbar is.
    lock(
      `padding-left:calc(${paddingLeft} + ${before.left - after.left}px)!important;padding-right:calc(${paddingRight} + ${after.right - before.right}px)!important`,
    )
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet)
    }
  }, [locked])
}
