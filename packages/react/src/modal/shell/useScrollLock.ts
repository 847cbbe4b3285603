import { useLayoutEffect } from 'react'

/** Prevents the page from scrolling under the modal, and from shifting when its scrollbar disappears. */
export function useScrollLock(locked: boolean): void {
  useLayoutEffect(() => {
    if (!locked) return
    const { documentElement: page } = document
    const { overflow, scrollbarGutter } = page.style
    const hasScrollbar = innerWidth > page.clientWidth
    page.style.overflow = 'hidden'
    if (hasScrollbar) page.style.scrollbarGutter = 'stable'
    return () => {
      page.style.overflow = overflow
      page.style.scrollbarGutter = scrollbarGutter
    }
  }, [locked])
}
